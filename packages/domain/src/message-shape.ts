/**
 * Checks that a message has the fields on which a workflow relies: a newer release, or somebody by hand, may have sent it. Not
 * done by a schema library, because that multiplies the memory of a cached workflow. Pure.
 */

/** Returns the first difference, as expected and found; undefined when the message has this shape and version 1. */
export function differsFrom(shape: MessageShape, message: unknown): string | undefined {
  if (!isObject(message)) return `expected an object, found ${found(message)}`;
  if (message['version'] !== 1) return `expected version 1, found ${found(message['version'])}; upgrade the workers`;
  return differs(shape, message, '');
}

/** The same for the body of an envelope. Who signed it is not known here. */
export function bodyDiffersFrom(shape: MessageShape, signed: unknown): string | undefined {
  if (!isObject(signed)) return `expected an envelope, found ${found(signed)}`;
  return differs(envelope({}), signed, '') ?? differsFrom(shape, signed['body']);
}

export interface Check {
  readonly is: (value: unknown) => boolean;
  readonly what: string;
}

export interface MessageShape {
  readonly [field: string]: Check | MessageShape;
}

export const text: Check = { is: (value) => typeof value === 'string' && value !== '', what: 'a text' };
/** Of a text that may be empty, like the title of a commit. */
export const anyText: Check = { is: (value) => typeof value === 'string', what: 'a text or an empty one' };
export const optionalText: Check = optional(text);
export const flag: Check = { is: (value) => typeof value === 'boolean', what: 'true or false' };
export const count: Check = { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, what: 'a count' };
export const sha: Check = { is: (value) => typeof value === 'string' && SHA.test(value), what: '40 hex digits' };
/** ISO 8601, as `toISOString` writes it. */
export const time: Check = { is: isTime, what: 'a time in UTC' };
export const list: Check = { is: Array.isArray, what: 'a list' };
export const object: Check = { is: isObject, what: 'an object' };

export function oneOf(...values: readonly string[]): Check {
  return {
    is: (value) => typeof value === 'string' && values.includes(value),
    what: `one of ${values.join(', ')}`,
  };
}

/** An object that has no other fields than these, and may lack any of them. */
export function someOf(fields: readonly string[], { is, what }: Check): Check {
  const isOne = ([field, value]: readonly [string, unknown]) => fields.includes(field) && is(value);
  return {
    is: (value) => isObject(value) && Object.entries(value).every(isOne),
    what: `an object with ${what} for each of some of ${fields.join(', ')}`,
  };
}

/** An envelope around a body of this shape. */
export function envelope(body: MessageShape): MessageShape {
  return { body, signature: text };
}

/** Absent, or of this shape. */
export function optional(expected: Check | MessageShape): Check {
  return {
    is: (value) => value === undefined || differsIn(expected, value, '') === undefined,
    what: `nothing or ${isCheck(expected) ? expected.what : `an object with ${Object.keys(expected).join(', ')}`}`,
  };
}

function differs(shape: MessageShape, value: Readonly<Record<string, unknown>>, path: string): string | undefined {
  for (const [field, expected] of Object.entries(shape)) {
    const why = differsIn(expected, value[field], `${path}${field}`);
    if (why !== undefined) return why;
  }
  return undefined;
}

function differsIn(expected: Check | MessageShape, part: unknown, path: string): string | undefined {
  if (isCheck(expected))
    return expected.is(part) ? undefined : `expected ${expected.what} as ${path}, found ${found(part)}`;
  if (!isObject(part)) return `expected an object as ${path}, found ${found(part)}`;
  return differs(expected, part, `${path}.`);
}

function isCheck(expected: Check | MessageShape): expected is Check {
  return typeof expected.is === 'function';
}

const SHA = /^[0-9a-f]{40}$/;

function isTime(value: unknown): boolean {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) && new Date(at).toISOString() === value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Cut short for a log line. */
function found(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100);
}
