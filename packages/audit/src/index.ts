/** The audit trail, as messages of topics, as requests to URLs, or as lines of a file. */
export { parseAuditUrl } from './audit-url.ts';
export type { Audit, AuditOptions, ProbedAudit } from './audit.ts';
export { AuditSecretError, AuditUnavailableError, InvalidAuditUrlError, reasonOf } from './errors.ts';
export { readKey } from './http/secret-file.ts';
export { signedHeaders } from './http/signed-headers.ts';
export { openAudit, type OpenedSink } from './open-audit.ts';
export { probeAudit } from './probe-audit.ts';
export { severalAudits } from './several-audits.ts';
