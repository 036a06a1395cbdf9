/**
 * Replaces secrets in a stream of bytes with `***`, however the stream is cut into pieces.
 *
 * Every byte of every occurrence of a secret is hidden, even where two overlap. Bytes that could begin a secret are held
 * back until later bytes decide: always fewer bytes than the longest secret has.
 */
export interface SecretMask {
  /** Hides this secret too, from here on; bytes that were already released stay as they are. */
  learn(secret: string): void;
  /** Returns the masked bytes that are certain by now. */
  push(bytes: Uint8Array): Buffer;
  /** Returns the bytes that are still held back, at the end of the stream. */
  rest(): Buffer;
  /** Masks bytes that are not part of the stream, as a whole. */
  masked(bytes: Uint8Array): Buffer;
}

const MASK = Buffer.from('***');

/** Shorter lines of a multi-line secret (a brace, `EOF`) reveal nothing, and masking them would hide half the log. */
const LINE_LIMIT = 6;

/** A range of bytes; `end` is exclusive. */
interface Stretch {
  readonly begin: number;
  readonly end: number;
}

export function createSecretMask(secrets: readonly string[]): SecretMask {
  const known = new Set(secrets.flatMap(spellings));
  let patterns = patternsOf(known);
  let held: Buffer = Buffer.alloc(0);
  /** How many of the held bytes belong to a secret whose mask was already written. */
  let covered = 0;

  /** Returns the masked bytes before `until`, and holds the rest. */
  function release(bytes: Buffer, until: number): Buffer {
    const secret = occurrences(bytes, patterns, covered);
    const released = maskStretches(bytes.subarray(0, until), secret, covered > 0);
    const masked = secret.filter(({ begin }, index) => begin < until || (index === 0 && covered > 0));
    covered = Math.max(0, ...masked.map(({ end }) => end - until));
    held = bytes.subarray(until);
    return released;
  }

  return {
    learn(secret) {
      for (const spelling of spellings(secret)) known.add(spelling);
      patterns = patternsOf(known);
    },
    push(piece) {
      if (patterns.length === 0) return Buffer.from(piece);
      const bytes = Buffer.concat([held, piece]);
      return release(bytes, beginningOfSecret(bytes, patterns));
    },
    rest: () => release(held, held.length),
    masked(bytes) {
      const whole = Buffer.from(bytes);
      return maskStretches(whole, occurrences(whole, patterns, 0), false);
    },
  };
}

function patternsOf(spelled: ReadonlySet<string>): readonly Buffer[] {
  return Array.from(spelled, (text) => Buffer.from(text));
}

/** The forms in which a secret may appear: as it is, as JSON and HCL escape it, and line by line where it is indented. */
function spellings(secret: string): string[] {
  const text = secret.trim();
  if (text === '') return [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const longLines = lines.length > 1 ? lines.filter((line) => line.length >= LINE_LIMIT) : [];
  return [text, JSON.stringify(text).slice(1, -1), ...longLines];
}

/** All stretches that hold a secret, in order, merged where they overlap. */
function occurrences(bytes: Buffer, patterns: readonly Buffer[], covered: number): Stretch[] {
  const found: Stretch[] = covered > 0 ? [{ begin: 0, end: covered }] : [];
  for (const pattern of patterns)
    for (let begin = bytes.indexOf(pattern); begin !== -1; begin = bytes.indexOf(pattern, begin + 1))
      found.push({ begin, end: begin + pattern.length });
  return merge(found.sort((a, b) => a.begin - b.begin));
}

function merge(sorted: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const stretch of sorted) {
    const last = merged.at(-1);
    if (last === undefined || stretch.begin >= last.end) merged.push(stretch);
    else merged[merged.length - 1] = { begin: last.begin, end: Math.max(last.end, stretch.end) };
  }
  return merged;
}

/** `continues`: the mask of the first stretch was already written. */
function maskStretches(bytes: Buffer, stretches: readonly Stretch[], continues: boolean): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, { begin, end }] of stretches.entries()) {
    if (begin >= bytes.length) break;
    parts.push(bytes.subarray(at, begin));
    if (!(continues && index === 0)) parts.push(MASK);
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Where the first secret that could continue past the end of these bytes begins; their length when there is none. */
function beginningOfSecret(bytes: Buffer, patterns: readonly Buffer[]): number {
  let first = bytes.length;
  for (const pattern of patterns) {
    const earliest = Math.max(0, bytes.length - pattern.length + 1);
    const head = pattern.subarray(0, 1);
    for (
      let begin = bytes.indexOf(head, earliest);
      begin !== -1 && begin < first;
      begin = bytes.indexOf(head, begin + 1)
    )
      if (bytes.subarray(begin).equals(pattern.subarray(0, bytes.length - begin))) first = begin;
  }
  return first;
}
