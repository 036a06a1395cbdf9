/**
 * Finds the user and password of URLs in a stream of bytes: `user:password` in `https://user:password@host`.
 *
 * Whether bytes after `://` are these shows only at the end of the host, since a password may hold an `@` of its own.
 */
export interface UserinfoFinder {
  /** Reads the next byte. Returns the length of the userinfo that ends before it, or 0. */
  read(byte: number): number;
  /** How many of the last bytes could be userinfo. */
  pending(): number;
}

/** More than any token has. Longer text after `://` is no address. */
export const USERINFO_LIMIT_BYTES = 4_096;

const COLON = 0x3a;
const SLASH = 0x2f;
const AT = 0x40;

/** Characters that end a host, besides spaces and controls: those of a path, and those that quote a URL. */
const ENDS: readonly boolean[] = Array.from(
  { length: 256 },
  (_, byte) => byte <= 0x20 || '/?#"\'`<>\\|^{}'.includes(String.fromCharCode(byte)),
);

const OUTSIDE = -1;

export function createUserinfoFinder(): UserinfoFinder {
  /** How much of `://` was read. */
  let introduced = 0;
  /** The length of the text after `://`. */
  let length = OUTSIDE;

  return {
    read(byte) {
      const before = length;
      if (byte === COLON) introduced = 1;
      else if (introduced > 0) introduced = byte === SLASH ? introduced + 1 : 0;
      if (before !== OUTSIDE) length = ENDS[byte] === true || before === USERINFO_LIMIT_BYTES ? OUTSIDE : before + 1;
      if (introduced === 3) [introduced, length] = [0, 0];
      return byte === AT && before > 0 ? before : 0;
    },
    pending: () => Math.max(0, length),
  };
}
