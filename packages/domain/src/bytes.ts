/** The size of values where Temporal limits it: as JSON, in bytes of UTF-8. */

/** A cache: the values are plain and never change, and a lane asks for the same ones with every message. */
const known = new WeakMap<object, number>();

export function bytesOf(value: object): number {
  const before = known.get(value);
  if (before !== undefined) return before;
  const text = JSON.stringify(value);
  // Characters beyond ASCII take two or three bytes; each half of a surrogate pair takes two.
  const bytes = text.length + count(text, TWO_BYTES) + 2 * count(text, THREE_BYTES);
  known.set(value, bytes);
  return bytes;
}

const TWO_BYTES = /[\u0080-\u07ff\ud800-\udfff]/g;
const THREE_BYTES = /[\u0800-\ud7ff\ue000-\uffff]/g;

function count(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0;
}

export function bytesOfAll(values: readonly object[]): number {
  return values.reduce((sum, value) => sum + bytesOf(value), 0);
}

/** The first values that fit into the limit together, and at least one. */
export function firstWithin<T extends object>(values: readonly T[], limitBytes: number): readonly T[] {
  let left = limitBytes;
  const end = values.findIndex((value, index) => {
    left -= bytesOf(value);
    return left < 0 && index > 0;
  });
  return end === -1 ? values : values.slice(0, end);
}
