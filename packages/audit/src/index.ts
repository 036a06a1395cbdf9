/** The audit trail, as messages of an SNS topic or as lines of a file. */
export type { Audit, AuditOptions } from './audit.ts';
export { AuditUnavailableError, InvalidAuditUrlError } from './errors.ts';
export { openAudit } from './open-audit.ts';
export { probeAudit, type ProbedAudit } from './probe-audit.ts';
