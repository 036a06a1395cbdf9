/** The answer of somebody who may be away. */
export type Asked<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  /** Nobody who knows it answered. */
  | { readonly kind: 'unavailable' };

/** A person waits for the page, and a workflow answers within milliseconds where its worker is there. */
export const DEADLINE_MS = 2_000;
