/** The audit trail, as messages of topics, as requests to URLs, or as lines of a file. */
export { parseAuditUrl } from './audit-url.ts';
export type { Audit, AuditOptions, ProbedAudit } from './audit.ts';
export { AuditUnavailableError, InvalidAuditUrlError } from './errors.ts';
export { openAudit, type OpenedSink } from './open-audit.ts';
export { probeAudit } from './probe-audit.ts';
export { severalAudits } from './several-audits.ts';
