/** Finds the secrets that must not appear in the log of a job, nor in a failure that quotes the log. */
import type { Root } from '@nereid/domain/root';
import type { HostContext } from './tools.ts';

/** Shorter values, such as `true` or `prod`, would hide innocent words. They stay readable. */
const SHORTEST_SECRET = 8;

/** Variables with such names hold secrets even when their values look like words. */
const SECRET_NAME =
  /secret|token|passw|passphrase|credential|key|cookie|(?:^|_)(?:dsn|pass|pwd|pat|pin|creds?|jwt|sas)(?:_|$)/i;

/**
 * The parts of a value that anybody could guess: numbers, words, camelCase, a word with its number. So a region, a path, an
 * address, a version, an ARN and a list of names stay readable.
 */
const PLAIN_PART = /^(?:\d{0,12}|[A-Z]{1,15}\d{0,3}|[A-Z]?[a-z]{1,15}(?:[A-Z][a-z]{1,15}){0,3}\d{0,3})$/;

/** Passwords have other characters too, such as `$` and `!`. */
const SEPARATORS = /[\s\-_./:,;=@?&*"'()[\]{}]+/;

/** Secrets within a value, which programs print without the rest: the password of a URL, or of a list of `name=value`. */
const INNER_SECRETS = [/:\/\/[^\s/@:]*:([^\s/@]+)@/g, /(?:passw(?:or)?d|pwd|secret|token|key)=([^\s;&'"]+)/gi];

type Environment = Readonly<Record<string, string | undefined>>;

/** The worker's own secrets. */
export function secretsOfWorker(config: HostContext['config']): readonly string[] {
  const { github, links, planKeys = [], signingKeys, sealKeys, issuer } = config;
  const texts = [github.app?.privateKey ?? [], links.key ?? [], planKeys].flat().map((secret) => secret.reveal());
  const signing = [signingKeys.orders, signingKeys.pool].flatMap(({ privateKey }) => privateKey ?? []);
  const keys = [...signing, ...sealKeys.privateKeys, ...(issuer ? [issuer.privateKey] : [])];
  return [...texts, ...keys.map((key) => key.export({ type: 'pkcs8', format: 'der' }).toString('base64'))];
}

/** The values that could be secrets, with the passwords in them; none of fewer than 8 characters. */
export function secretsOfEnvironment(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => secretsOfVariable(name, value));
}

/** The secrets in the value of an `env` step: all of it when a command printed it, because nobody knows what that is. */
export function secretsOfStep({ steps }: Pick<Root, 'steps'>, name: string, value: string): readonly string[] {
  const isInTheClear = [...steps.plan, ...steps.apply].some(
    (step) => step.kind === 'env' && step.name === name && 'value' in step && step.value === value,
  );
  const secrets = secretsOfVariable(name, value);
  return isInTheClear || !isLongEnough(value) ? secrets : [value, ...secrets];
}

/**
 * The secrets in a file that `env_from` names: all of it, and each of its lines, because Terraform indents the lines of a text.
 * In JSON, such as the key of a service account, the texts that could be secrets count as well.
 */
export function secretsOfFile(name: string, value: string): readonly string[] {
  const lines = value.split('\n').map((line) => line.trim());
  return [
    ...new Set([value, ...lines].filter(isLongEnough).concat(secretsOfVariable(name, value), secretsOfJson(value))),
  ];
}

function secretsOfJson(text: string): readonly string[] {
  if (!text.startsWith('{')) return [];
  try {
    const values = Object.entries(JSON.parse(text) as object);
    const texts = values.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return texts.flatMap(([name, value]) => [...secretsOfVariable(name, value), ...longLinesOf(value)]);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Of a key with line breaks. */
function longLinesOf(value: string): readonly string[] {
  return value.includes('\n') ? value.split('\n').filter(isLongEnough) : [];
}

function secretsOfVariable(name: string, value: string): readonly string[] {
  const inner = INNER_SECRETS.flatMap((pattern) => Array.from(value.matchAll(pattern), ([, secret = '']) => secret));
  const isSecret = inner.length > 0 || SECRET_NAME.test(name) || !value.split(SEPARATORS).every(isPlain);
  return isSecret ? [value, ...inner].filter(isLongEnough) : [];
}

function isPlain(part: string): boolean {
  return PLAIN_PART.test(part);
}

function isLongEnough(value: string): boolean {
  return value.trim().length >= SHORTEST_SECRET;
}
