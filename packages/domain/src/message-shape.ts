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

interface Check {
  readonly is: (value: unknown) => boolean;
  readonly what: string;
}

export interface MessageShape {
  readonly [field: string]: Check | MessageShape;
}

export const text: Check = { is: (value) => typeof value === 'string' && value !== '', what: 'a text' };
export const optionalText: Check = {
  is: (value) => value === undefined || text.is(value),
  what: 'nothing or a text',
};
export const flag: Check = { is: (value) => typeof value === 'boolean', what: 'true or false' };
export const count: Check = { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, what: 'a count' };
export const sha: Check = { is: (value) => /^[0-9a-f]{40}$/.test(String(value)), what: '40 hex digits' };
export const list: Check = { is: Array.isArray, what: 'a list' };
export const object: Check = { is: isObject, what: 'an object' };

export function oneOf(...values: readonly string[]): Check {
  return { is: (value) => values.includes(String(value)), what: `one of ${values.join(', ')}` };
}

/** An envelope around a body of this shape. */
export function envelope(body: MessageShape): MessageShape {
  return { body, signature: text };
}

/** Absent, or an object of this shape. */
export function optional(shape: MessageShape): Check {
  return {
    is: (value) => value === undefined || (isObject(value) && differs(shape, value, '') === undefined),
    what: `nothing or an object with ${Object.keys(shape).join(', ')}`,
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Cut short for a log line. */
function found(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100);
}
