/**
 * A person was forgotten in the record of a deployment that ended. Signed parts of it no longer name the person, so they open
 * as nothing: this envelope, in which control says what it changed, stands for them.
 */
export interface Redaction {
  readonly version: 1;
  readonly deploymentId: string;
  /** Stands for the person's login. */
  readonly pseudonym: string;
  /** ISO 8601. */
  readonly at: string;
  /** SHA-256 of the deployment as it is stored from then on, 64 hex digits. */
  readonly digest: string;
}
