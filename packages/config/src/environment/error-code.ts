/** The system's word for what went wrong (`ENOENT`), else the error's own message. */
export function errorCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
