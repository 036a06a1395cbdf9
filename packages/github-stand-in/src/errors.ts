/** The stand-in was asked for something impossible. The message says what, and what there is instead. */
export class ImpossibleError extends Error {
  override readonly name = 'ImpossibleError';
  readonly code = 'IMPOSSIBLE';
}
