/** Whether an error of the system has this code. By shape: errors of Node's core may come from another realm than ours. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
