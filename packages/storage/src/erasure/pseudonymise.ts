/** Replaces a person's login in what is stored. Pure. */

export interface Person {
  /** On the forge, in any case. */
  readonly login: string;
  /** Stands for it. */
  readonly pseudonym: string;
}

/** The fields that hold a login, or several. The forge's id of a person stands beside it, as in `by` and `byId`. */
const LOGINS: ReadonlySet<string> = new Set([
  ...['requestedBy', 'author', 'by', 'reviewedBy', 'initiatingUser', 'approvedBy', 'users'],
]);

/** What a mention begins with. In an address such as `x@alice.example`, a name stands before it. */
const MENTION = '(?<![\\w.-])@';

/** In place of a signature of what names the person no more. */
const NO_SIGNATURE = 'redacted';

/**
 * The same value with the pseudonym in each field of a login, and wherever a text mentions the person as `@login`. The forge's id of
 * the person goes. The very same value where nothing names the person.
 */
export function pseudonymise<T>(value: T, person: Person): T {
  // Nothing of the person: the most frequent case by far, without a copy.
  if (!mentionsOf(person.login, '').test(JSON.stringify(value))) return value;
  const changed = walk(value, '', person);
  return JSON.stringify(changed) === JSON.stringify(value) ? value : (changed as T); // Of the same shape, with other texts.
}

function walk(value: unknown, field: string, person: Person): unknown {
  if (typeof value === 'string') return textOf(value, field, person);
  if (Array.isArray(value)) return value.map((one: unknown) => walk(one, field, person));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !isIdOf(name, value, person));
  const changed = Object.fromEntries(fields.map(([name, one]): [string, unknown] => [name, walk(one, name, person)]));
  return isEnvelope(value) && JSON.stringify(changed['body']) !== JSON.stringify(value.body)
    ? { ...changed, signature: NO_SIGNATURE }
    : changed;
}

function textOf(text: string, field: string, { login, pseudonym }: Person): string {
  if (LOGINS.has(field) && isSame(text, login)) return pseudonym;
  return text.replaceAll(mentionsOf(login, MENTION), `@${pseudonym}`);
}

function isIdOf(name: string, among: object, { login }: Person): boolean {
  const holder = name.endsWith('Id') ? name.slice(0, -'Id'.length) : '';
  const text = (among as Readonly<Record<string, unknown>>)[holder];
  return LOGINS.has(holder) && typeof text === 'string' && isSame(text, login);
}

function isEnvelope(value: object): value is { readonly body: unknown } {
  return 'body' in value && 'signature' in value;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** No other login begins with it: logins have letters, digits and `-`, and that of a bot ends in `[bot]`. */
function mentionsOf(login: string, before: string): RegExp {
  return new RegExp(`${before}${login.replaceAll(/[[\]]/g, '\\$&')}(?![\\w[-])`, 'gi');
}
