import type { AuditEvent, EndedStatus } from '@nereid/contracts';

/** The last event of an apply job whose deployment ended like this. */
export function auditStateOf(status: EndedStatus): AuditEvent['state'] {
  if (status === 'succeeded' || status === 'no-changes') return 'SUCCESS';
  return status === 'apply-outcome-unknown' ? 'UNKNOWN' : 'FAILURE';
}
