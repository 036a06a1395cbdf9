/** Errors of Node's core are told by their code: in a test, they come from another realm than its `Error`. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
