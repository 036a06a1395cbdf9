/** The answer of a source that may be away. */
export type Asked<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  /** The source did not answer. */
  | { readonly kind: 'unavailable' };

/** A person waits for the page, and a workflow answers within milliseconds when its worker is up. */
export const DEADLINE_MS = 2_000;
