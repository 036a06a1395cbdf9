/** What a login takes besides its entry in the server's file. All that is missing is reported at once. */
import { isLoopback, type LocatedProblem, type LoginMode, type ServerConfig } from '@nereid/config';

/** The variables of logins that have a value. */
export interface LoginValues {
  readonly url: string | undefined;
  readonly githubSecret: unknown;
  readonly sessionKeys: unknown;
  readonly controlKeys: unknown;
}

interface Needed {
  readonly path: string;
  readonly what: string;
  readonly remedy: string;
  readonly has: (values: LoginValues) => boolean;
}

const SECRET: Needed = {
  path: 'GITHUB_CLIENT_SECRET',
  what: 'the client secret of the GitHub App, in GITHUB_CLIENT_SECRET or in the file named by GITHUB_CLIENT_SECRET_FILE',
  remedy: 'make one on the page of the App',
  has: ({ githubSecret }) => githubSecret !== undefined,
};

const SESSION_KEY: Needed = {
  path: 'SESSION_KEY',
  what: 'a key for sessions, in SESSION_KEY or in the file named by SESSION_KEY_FILE',
  remedy: 'make one with: openssl rand -base64 32; all consoles behind one address need the same',
  has: ({ sessionKeys }) => sessionKeys !== undefined,
};

const URL_OF_CONSOLE: Needed = {
  path: 'CONSOLE_URL',
  what: 'the address to which people come back from their login, in CONSOLE_URL',
  remedy: 'set it to the address of the console for people',
  has: ({ url }) => url !== undefined,
};

const CONTROL_KEY: Needed = {
  path: 'ORDERS_PUBLIC_KEY',
  what: 'the public key of control, which says who may read a repository, in ORDERS_PUBLIC_KEY or in the file named by ORDERS_PUBLIC_KEY_FILE',
  remedy: 'make all keys with: nereid keys FOLDER',
  has: ({ controlKeys }) => controlKeys !== undefined,
};

const NEEDED: Readonly<Record<LoginMode, readonly Needed[]>> = {
  local: [],
  github: [SECRET, SESSION_KEY, URL_OF_CONSOLE],
  oidc: [SESSION_KEY, URL_OF_CONSOLE, CONTROL_KEY],
  proxy: [CONTROL_KEY],
};

export function loginProblems(values: LoginValues, { console: policy }: ServerConfig): readonly LocatedProblem[] {
  const { login, tokens } = policy;
  const byLogin = login === undefined ? [] : NEEDED[login.mode];
  const byTokens = tokens.length > 0 && !byLogin.includes(CONTROL_KEY) ? [CONTROL_KEY] : [];
  const reason = (needed: Needed) =>
    byTokens.includes(needed)
      ? "because console.tokens has tokens in the server's file"
      : `because console.login is ${login?.mode ?? 'none'} in the server's file`;
  return [
    ...[...byLogin, ...byTokens]
      .filter(({ has }) => !has(values))
      .map((needed) => ({
        path: needed.path,
        message: `expected ${needed.what}, ${reason(needed)}, found nothing; ${needed.remedy}`,
      })),
    ...(byLogin.includes(SESSION_KEY) ? insecureUrl(values) : []),
  ];
}

/** Browsers send cookies of a login over TLS alone, or to this machine. */
function insecureUrl({ url }: LoginValues): readonly LocatedProblem[] {
  if (url === undefined || url.startsWith('https://') || isLoopback(new URL(url).hostname.replaceAll(/[[\]]/g, '')))
    return [];
  const message = `expected an https address, because people log in there, found ${url}; put TLS in front of the console`;
  return [{ path: 'CONSOLE_URL', message }];
}
