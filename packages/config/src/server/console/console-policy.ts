/** The console, as the server's file describes it: how people log in, and what scripts may do. Control reads the same. */
import type { TokenScope } from '@nereid/domain/actions';
import { matchesGlob } from '../glob.ts';

export interface ConsolePolicy {
  /** How people log in; absent: nobody does, and links open pages. */
  readonly login?: LoginConfig;
  /** Logins on the forge by what the provider or the proxy calls a person; names that are not here are logins themselves. */
  readonly people: ReadonlyMap<string, string>;
  readonly tokens: readonly ApiToken[];
  /** The people who may drain hosts, and read sealed messages that name no repository. Empty: nobody may. */
  readonly operators: readonly Operator[];
  /** `key`: links in check runs and comments hold a key; `login`: none does; absent: those of private repositories do. */
  readonly logLinks?: 'key' | 'login';
  /** Where people open Temporal's UI, to which pages and check runs link. */
  readonly temporalUi?: TemporalUi;
}

export interface TemporalUi {
  /** Without a trailing slash. */
  readonly url: string;
  /** Its pages may ask the console to decode what the reader may read. */
  readonly decodes: boolean;
}

export interface Operator {
  /** Login on the forge. It is free for strangers once its owner renames the account. */
  readonly login: string;
  /** The forge's id of the account, which stays. */
  readonly id?: number;
}

export type LoginConfig =
  /** Everybody on the console's own machine. `as` is the login in whose name they act; absent: they only read. */
  | { readonly mode: 'local'; readonly as?: string }
  | { readonly mode: 'github'; readonly clientId: string }
  | {
      readonly mode: 'oidc';
      /** The provider's own URL, exactly as it stands in its tokens. */
      readonly issuer: string;
      readonly clientId: string;
      /** The claim that names the person. */
      readonly claim: string;
      /** Whether the provider verifies every address, so that an `email` without `email_verified` counts. */
      readonly vouchesForEmail: boolean;
    }
  | {
      readonly mode: 'proxy';
      /** The header with the signed assertion, in lower case. */
      readonly header: string;
      readonly issuer: string;
      readonly audience: string;
      /** Where the proxy publishes its keys (JWKS). */
      readonly keysUrl: string;
      readonly claim: string;
      readonly vouchesForEmail: boolean;
    };

export type LoginMode = LoginConfig['mode'];

/** A token with which a script acts for a login. Only its hash is kept. */
export interface ApiToken {
  /** Shown where it acts. */
  readonly name: string;
  /** SHA-256 of the token, 64 hex digits. */
  readonly sha256: string;
  /** The login whose permissions it has. */
  readonly login: string;
  readonly scopes: readonly TokenScope[];
  /** `owner/name`, globs. */
  readonly repositories: readonly string[];
  /** ISO 8601. */
  readonly expires: string;
}

/** As the server's file has it: `olga`, or `olga#1234567` with the forge's id of the account. */
export function operatorOf(written: string): Operator {
  const [login = '', id] = written.split('#');
  return { login, ...(id !== undefined && { id: Number(id) }) };
}

/**
 * Whether this person is an operator. Where the forge said who they are, an entry with an id is for that account alone, whatever its login
 * is now. Other logins come from the provider or from the server's file, and have no id.
 */
export function isOperator({ operators }: Pick<ConsolePolicy, 'operators'>, person: Operator): boolean {
  return operators.some(({ login, id }) =>
    id !== undefined && person.id !== undefined ? id === person.id : login.toLowerCase() === person.login.toLowerCase(),
  );
}

/** Whether a token may see and change this repository at all. */
export function coversRepository({ repositories }: Pick<ApiToken, 'repositories'>, fullName: string): boolean {
  return repositories.some((glob) => matchesGlob(glob, fullName));
}

/** Whether a token is for all repositories, those to come included; one that leaves out `repositories` is. */
export function coversEverything({ repositories }: Pick<ApiToken, 'repositories'>): boolean {
  return repositories.includes('*/*');
}
