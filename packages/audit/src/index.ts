/** The audit trail, as messages of an SNS topic or as lines of a file. */
export { openAudit, type Audit, type AuditOptions } from './audit.ts';
export { AuditUnavailableError, InvalidAuditUrlError } from './errors.ts';
export { probeAudit, type ProbedAudit } from './probe-audit.ts';
