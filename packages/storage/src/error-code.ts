/**
 * The `code` of an error; '' when it has none. The check is by shape, not by class: in a VM context, Node's own errors
 * come from another realm than the code that catches them.
 */
export function errorCode(error: unknown): string {
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The `name` of an error; '' when it has none. */
export function errorName(error: unknown): string {
  return isObject(error) && 'name' in error && typeof error.name === 'string' ? error.name : '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
