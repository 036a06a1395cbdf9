/**
 * A message that its sender signed, as it goes through Temporal and storage: the body is what is signed, all of it. Workflows carry
 * it whole. Nothing in it counts until `open` of packages/signature has verified it.
 */
export interface Signed<Body> {
  readonly body: Body;
  /** A compact JWS with an empty payload; its type says what the body is. */
  readonly signature: string;
}
