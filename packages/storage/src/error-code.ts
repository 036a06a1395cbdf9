/**
 * The `code` of an error, '' where it has none. Asked by shape and not by class: Node's own errors come from another
 * realm than the code that catches them wherever that runs in a VM context.
 */
export function errorCode(error: unknown): string {
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The `name` of an error; '' for what is none. */
export function errorName(error: unknown): string {
  return isObject(error) && 'name' in error && typeof error.name === 'string' ? error.name : '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
