/** The kinds of variables that processes declare: `env.address('GATEWAY_ADDRESS').default('0.0.0.0:4143')`. */
import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { isAbsolute, normalize } from 'node:path';
import { millisecondsOf } from '@nereid/domain/duration';
import { isLoopback } from './hosts.ts';
import { keyVariables } from './key-variables.ts';
import { not, value, variable, type OptionalVariable, type Parsed } from './environment.ts';
import { quote } from '../yaml/problem.ts';
import { Secret } from './secret.ts';

/** An address to listen at, or of a server. A process that listens at port 0 takes any free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export const env = {
  /** Any text that is not empty. */
  string: (name: string): OptionalVariable<string> =>
    variable(name, (text) => (text === '' ? not('a text') : value(text))),

  /** A text that is never shown. */
  secret: (name: string): OptionalVariable<Secret> =>
    variable(name, (text) => (text.trim() === '' ? not('a secret') : value(new Secret(text))), true),

  /** One secret or, for rotation, several separated by line breaks; at least one. */
  secrets: (name: string): OptionalVariable<readonly Secret[]> => variable(name, parseSecrets, true),

  /** A key of exactly this many bytes in base64. */
  key: (name: string, bytes: number): OptionalVariable<Secret> =>
    variable(
      name,
      (text) => (isBase64Of(text.trim(), bytes) ? value(new Secret(text.trim())) : not(`base64 of ${bytes} bytes`)),
      true,
    ),

  /** Keys of exactly this many bytes in base64, separated by line breaks; the first is the newest. */
  keys: (name: string, bytes: number): OptionalVariable<readonly Secret[]> =>
    variable(name, (text) => parseKeys(text, bytes), true),

  /**
   * Keys of exactly this many bytes in base64, separated by line breaks. The first seals, and all of them open; with the word `none` in
   * its place, none seals.
   */
  sealingKeys: (name: string, bytes: number): OptionalVariable<SealingKeys> =>
    variable(name, (text) => parseSealingKeys(text, bytes), true),

  /** Secrets for our signatures, long enough that nobody finds them by trying, separated by line breaks; the newest first. */
  signingKeys: (name: string): OptionalVariable<readonly [Secret, ...Secret[]]> =>
    variable(name, parseSigningKeys, true),

  /** An RSA private key as PEM. */
  rsaKey: (name: string): OptionalVariable<Secret> =>
    variable(name, (text) => parsePrivateKey(text, `${name}_FILE`), true),

  /** The URL under which others find our keys: https, or http on this machine. No trailing slash. */
  issuer: (name: string): OptionalVariable<string> => variable(name, parseIssuer),

  ...keyVariables,

  /** `host:port` to listen at; an IPv6 host in brackets. */
  address: (name: string): OptionalVariable<Address> =>
    variable(name, (text) => parseAddress(text, 0) ?? not('host:port, like 127.0.0.1:4143')),

  /** `host:port` of a server to call. */
  server: (name: string): OptionalVariable<Address> =>
    variable(name, (text) => parseAddress(text, 1) ?? not('host:port of a server, like 127.0.0.1:7233')),

  /** An http or https URL without credentials, query and fragment; the value has no trailing slash. */
  url: (name: string): OptionalVariable<string> => variable(name, parseUrl),

  /** An absolute path, normalised: it means the same in whatever folder a process was started. */
  path: (name: string): OptionalVariable<string> =>
    variable(name, (text) => (isAbsolute(text) ? value(normalize(text)) : not('an absolute path'))),

  /** Proxies that are believed: addresses, ranges like `10.0.0.0/8`, and Express's names of ranges, separated by commas. */
  proxies: (name: string): OptionalVariable<readonly string[]> => variable(name, parseProxies),

  /** `500ms`, `30s`, `10m`, `12h` or `7d`, in milliseconds. */
  duration: (name: string): OptionalVariable<number> => variable(name, parseDuration),

  /** `500MB`, `20GB` or `1TB`, in bytes; at least one. */
  bytes: (name: string): OptionalVariable<number> => variable(name, parseBytes),

  integer: (name: string, { min, max }: { min: number; max: number }): OptionalVariable<number> =>
    variable(name, (text) => {
      const number = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN;
      return number >= min && number <= max ? value(number) : not(`a whole number from ${min} to ${max}`);
    }),

  flag: (name: string): OptionalVariable<boolean> =>
    variable(name, (text) => (text === 'true' || text === 'false' ? value(text === 'true') : not('true or false'))),

  oneOf: <const Word extends string>(name: string, words: readonly Word[]): OptionalVariable<Word> =>
    variable(name, (text) => parseWord(text, words)),

  /** Some of the words, separated by commas; at least one. */
  someOf: <const Word extends string>(name: string, words: readonly Word[]): OptionalVariable<readonly Word[]> =>
    variable(name, (text) => parseWords(text, words)),
};

/** One key seals, and several open while keys rotate. */
export interface SealingKeys {
  /** Undefined where nothing is sealed. */
  readonly seals: Secret | undefined;
  readonly opens: readonly Secret[];
}

/** A person who guesses the secret can pose as GitHub. GitHub asks for a random text "with high entropy". */
const SHORTEST_SECRET = 16;

function parseSecrets(text: string): Parsed<readonly Secret[]> {
  const lines = linesOf(text);
  if (lines.length === 0) return not('one or more secrets, separated by line breaks');
  if (lines.some((line) => line.length < SHORTEST_SECRET))
    return not(`secrets of at least ${SHORTEST_SECRET} characters`);
  return value(lines.map((line) => new Secret(line)));
}

function parseKeys(text: string, bytes: number): Parsed<readonly Secret[]> {
  const keys = linesOf(text);
  if (keys.length > 0 && keys.every((key) => isBase64Of(key, bytes))) return value(keys.map((key) => new Secret(key)));
  return not(`base64 of ${bytes} bytes, several separated by line breaks`);
}

const SEALS_NOTHING = 'none';

function parseSealingKeys(text: string, bytes: number): Parsed<SealingKeys> {
  const [first, ...others] = linesOf(text);
  const isOff = first === SEALS_NOTHING;
  const parsed = parseKeys(isOff ? others.join('\n') : text, bytes);
  if (parsed.kind === 'value') return value({ seals: isOff ? undefined : parsed.value[0], opens: parsed.value });
  return { ...parsed, expected: `${parsed.expected}, or "${SEALS_NOTHING}" above them while nothing is to be sealed` };
}

function isBase64Of(key: string, bytes: number): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) && Buffer.from(key, 'base64').length === bytes;
}

/** A person who has a signature can try keys offline: 32 characters, even of hex, are 128 bits. */
const SIGNING_KEY_LENGTH = 32;

function parseSigningKeys(text: string): Parsed<readonly [Secret, ...Secret[]]> {
  const [newest, ...others] = linesOf(text);
  const isKey = (key: string) => key.length >= SIGNING_KEY_LENGTH;
  if (newest !== undefined && [newest, ...others].every(isKey))
    return value([new Secret(newest), ...others.map((key) => new Secret(key))]);
  return not(`a secret of at least ${SIGNING_KEY_LENGTH} characters`, {
    found: 'a shorter one (not shown)',
    remedy: 'make one with: openssl rand -base64 32',
  });
}

function parsePrivateKey(text: string, fileVariable: string): Parsed<Secret> {
  const expected = 'an RSA private key as PEM, without a passphrase';
  const remedy = `set ${fileVariable} to the path of its .pem file`;
  try {
    // Where a variable can have no line breaks, people write them as \n, which GitHub's library understands too.
    const { asymmetricKeyType: type = 'another' } = createPrivateKey(text.replaceAll(String.raw`\n`, '\n'));
    return type === 'rsa' ? value(new Secret(text)) : not(expected, { found: `a key of the type ${type}`, remedy });
  } catch {
    // The error names only the part of the parser that failed.
    return not(expected, { remedy });
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const MAX_PORT = 65_535;

function parseAddress(text: string, minPort: number): Parsed<Address> | undefined {
  const { host, port } = /^(?<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) < minPort || Number(port) > MAX_PORT) return undefined;
  return value({ host: host.replaceAll(/[[\]]/g, ''), port: Number(port) });
}

function parseUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  const isPlain =
    url &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain ? value(url.href.replace(/\/+$/, '')) : not('an http or https URL without credentials and query');
}

/** Clouds compare it, and the gateway has routes below it: nothing that is spelt in two ways, or that a route reads as a pattern. */
const PLAIN_PATH = /^[\w./-]*$/;

function parseIssuer(text: string): Parsed<string> {
  const parsed = parseUrl(text);
  const url = parsed.kind === 'value' ? new URL(parsed.value) : undefined;
  const isSafe = url?.protocol === 'https:' || (url && isLoopback(url.hostname));
  if (isSafe && PLAIN_PATH.test(url.pathname)) return parsed;
  return not('an https URL without credentials and query, like https://nereid.example.org');
}

const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

function parseProxies(text: string): Parsed<readonly string[]> {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (proxies.every(isProxy)) return value(proxies);
  return not(`addresses, ranges like 10.0.0.0/8, or some of ${RANGES.map(quote).join(', ')}, separated by commas`);
}

function isProxy(proxy: string): boolean {
  const [address = '', bits, ...others] = proxy.split('/');
  const version = isIP(address);
  if (version === 0) return RANGES.includes(proxy);
  const longest = version === 4 ? 32 : 128;
  return others.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest));
}

function parseDuration(text: string): Parsed<number> {
  const milliseconds = millisecondsOf(text);
  return milliseconds === undefined ? not('a duration, like 500ms, 30s, 10m, 12h or 7d') : value(milliseconds);
}

const BYTES: ReadonlyMap<string, number> = new Map([
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
]);

function parseBytes(text: string): Parsed<number> {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})(MB|GB|TB)$/.exec(text) ?? [];
  const bytes = BYTES.get(unit);
  return bytes === undefined ? not('an amount of bytes, like 500MB, 20GB or 1TB') : value(Number(amount) * bytes);
}

function parseWord<Word extends string>(text: string, words: readonly Word[]): Parsed<Word> {
  const word = words.find((each) => each === text);
  return word === undefined ? not(`one of ${words.map(quote).join(', ')}`) : value(word);
}

function parseWords<Word extends string>(text: string, words: readonly Word[]): Parsed<readonly Word[]> {
  const chosen = text.split(',').map((word) => words.find((each) => each === word.trim()));
  const known = chosen.filter((word) => word !== undefined);
  if (known.length < chosen.length) return not(`some of ${words.map(quote).join(', ')}, separated by commas`);
  return value([...new Set(known)]);
}
