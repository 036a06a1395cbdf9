import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createByteMatcher, START, type ByteMatcher } from './byte-matcher.ts';
import { exactSpellings, spellings } from './spellings.ts';
import { createUserinfoFinder } from './url-userinfo.ts';

/**
 * Replaces secrets, and the user and password of URLs, in a stream of bytes with `***`, however the stream is cut into pieces.
 *
 * Every byte of every occurrence of a secret is hidden, even where two overlap. Bytes that could begin a secret are held
 * back until later bytes decide: never more than the longest secret or `USERINFO_LIMIT_BYTES` has. The time is proportional
 * to the bytes, whatever the secrets and the output are.
 */
export interface SecretMask {
  /** Hides this secret too, from here on; bytes that were already released stay as they are. */
  learn(secret: string): void;
  /** The same for values that appear as they are, or as JSON and HCL escape them: of these, there may be thousands. */
  learnExactly(values: readonly string[]): void;
  /** Returns the masked bytes that are certain by now. */
  push(bytes: Uint8Array): Buffer;
  /** Returns the bytes that are still held back, at the end of the stream. */
  rest(): Buffer;
  /** Masks bytes that are not part of the stream, as a whole. */
  masked(bytes: Uint8Array): Buffer;
  /** Masks another stream, with the secrets that are known by now. */
  aside(): MaskedStream;
}

/** Masks bytes as they come, with the promises of `SecretMask`. */
export interface MaskedStream {
  push(bytes: Uint8Array): Uint8Array;
  rest(): Uint8Array;
}

const MASK = Buffer.from('***');

/** A range of bytes; `end` is exclusive. A negative `begin`: it began in bytes that were released, and so was its mask. */
interface Stretch {
  readonly begin: number;
  readonly end: number;
}

export function createSecretMask(secrets: readonly string[]): SecretMask {
  const known = new Set(secrets);
  const exact = new Set<string>();
  let matcher = matcherOf(known);
  const stream = createStream(matcher);

  function renew(): void {
    matcher = exact.size === 0 ? matcherOf(known) : createByteMatcher(patternsOf(known, exact));
    stream.use(matcher);
  }

  return {
    learn(secret) {
      known.add(secret);
      renew();
    },
    learnExactly(values) {
      for (const value of values) exact.add(value);
      if (values.length > 0) renew();
    },
    push: (bytes) => stream.push(bytes),
    rest: () => stream.rest(),
    masked(bytes) {
      const aside = createStream(matcher);
      return Buffer.concat([aside.push(bytes), aside.rest()]);
    },
    aside: () => createStream(matcher),
  };
}

/** Jobs of the same repository have the same secrets, and a matcher of a worker's keys takes 15 ms; it has a megabyte. */
const KEPT = 8;

const kept = new LRUCache<string, ByteMatcher>({ max: KEPT });

function matcherOf(known: ReadonlySet<string>): ByteMatcher {
  const key = createHash('sha256')
    .update(JSON.stringify([...known]))
    .digest('hex');
  const matcher = kept.get(key) ?? createByteMatcher(patternsOf(known, new Set()));
  kept.set(key, matcher);
  return matcher;
}

function patternsOf(known: ReadonlySet<string>, exact: ReadonlySet<string>): readonly Uint8Array[] {
  const all = new Set([...known].flatMap((secret) => [...spellings(secret)]));
  for (const value of exact) for (const spelling of exactSpellings(value)) all.add(spelling);
  return Array.from(all, (text) => Buffer.from(text));
}

function createStream(first: ByteMatcher) {
  const userinfo = createUserinfoFinder();
  let matcher = first;
  let node = START;
  let held: Buffer = Buffer.alloc(0);
  /** What is to be hidden of the held bytes, in order. */
  let hidden: Stretch[] = [];

  function find(bytes: Buffer, index: number): void {
    node = matcher.next(node, bytes[index] ?? 0);
    const length = matcher.found(node);
    if (length > 0) hide(hidden, { begin: index + 1 - length, end: index + 1 });
  }

  /** Returns the masked bytes before `until`, and holds the rest. */
  function release(bytes: Buffer, until: number): Buffer {
    const released = maskStretches(bytes.subarray(0, until), hidden);
    hidden = hidden.flatMap(({ begin, end }) => (end > until ? [{ begin: begin - until, end: end - until }] : []));
    held = bytes.subarray(until);
    return released;
  }

  return {
    use(next: ByteMatcher): void {
      [matcher, node] = [next, START];
      for (let index = 0; index < held.length; index += 1) find(held, index);
    },
    push(piece: Uint8Array): Buffer {
      const bytes = Buffer.concat([held, piece]);
      for (let index = held.length; index < bytes.length; index += 1) {
        find(bytes, index);
        const length = userinfo.read(bytes[index] ?? 0);
        if (length > 0) hide(hidden, { begin: index - length, end: index });
      }
      return release(bytes, bytes.length - Math.max(matcher.depth(node), userinfo.pending()));
    },
    rest: () => release(held, held.length),
  };
}

/** Adds a stretch that ends with the bytes that were read, and merges it with those that it overlaps. */
function hide(hidden: Stretch[], stretch: Stretch): void {
  let { begin, end } = stretch;
  for (let last = hidden.at(-1); last !== undefined && last.end > begin; last = hidden.at(-1)) {
    [begin, end] = [Math.min(begin, last.begin), Math.max(end, last.end)];
    hidden.pop();
  }
  hidden.push({ begin, end });
}

function maskStretches(bytes: Buffer, stretches: readonly Stretch[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { begin, end } of stretches) {
    if (begin >= bytes.length) break;
    if (begin >= 0) parts.push(bytes.subarray(at, begin), MASK);
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
