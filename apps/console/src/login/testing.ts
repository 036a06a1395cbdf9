/** Test fixtures of logins: a console as people log in to it, and a browser that keeps its cookies. */
import { hashOfToken, operatorOf, Secret, type ApiToken, type LoginConfig } from '@nereid/config';
import { createIdentify } from '@nereid/identity';
import type { ObjectStore } from '@nereid/storage';
import { pino } from 'pino';
import { createOperatorRights } from '../access/operator-rights.ts';
import { createRepositoryAccess, type AskAccess, type Named } from '../access/repository-access.ts';
import type { Access, LoginSettings } from '../platform/config/config.ts';
import { createLogin } from './create-login.ts';
import { createCsrf } from './visitor/csrf.ts';
import { createFindVisitor } from './visitor/find-visitor.ts';

/** In whose name people on this machine act. */
export const LOCAL_PERSON = 'alice';

/** The token that scripts have in tests, which may review and read. */
export const TOKEN = 'nereid_test';

/** Where people find the console; the browser of the tests knows where it really is. */
export const CONSOLE_URL = 'https://console.example';

export interface StagedLogin {
  readonly policy: LoginConfig | undefined;
  readonly people?: ReadonlyMap<string, string>;
  /** By default, the person on this machine. */
  readonly operators?: readonly string[];
  readonly settings?: Partial<LoginSettings>;
  readonly tokens?: readonly ApiToken[];
  /** By default, GitHub says yes to everything. */
  readonly askAccess?: AskAccess;
  /** Nobody answers there, by default. */
  readonly github?: { readonly url: string; readonly apiUrl: string };
  readonly trustedProxies?: readonly string[];
}

export const API_TOKEN: ApiToken = {
  name: 'ci',
  sha256: hashOfToken(TOKEN),
  login: 'robot',
  scopes: ['read', 'review'],
  repositories: ['acme/infra'],
  expires: '2999-01-01T00:00:00.000Z',
};

export const SESSION_KEY = new Secret('a key for sessions that nobody guesses');

/** Tests move the clock on, and what is kept for a while grows old with it. */
const CLOCK = { now: () => Date.now() };

const NOWHERE = { url: 'http://127.0.0.1:9', apiUrl: 'http://127.0.0.1:9/api/v3' };

/** GitHub, which lets everybody into these repositories, and into no others. */
export function lettingIn(isOpen: (repository: Named) => boolean): AskAccess {
  return (_visitor, repositories) =>
    Promise.resolve(repositories.map((repository) => ({ sees: isOpen(repository) ? 'as-member' : 'no' })));
}

/** The parts of a console's context that know people. */
export function stagedLogin(access: Access, staged: StagedLogin, store: ObjectStore) {
  const { policy, people = new Map<string, string>(), settings, github = NOWHERE, trustedProxies = [] } = staged;
  const { tokens = [API_TOKEN], operators = [LOCAL_PERSON] } = staged;
  const console = { ...(policy && { login: policy }), people, tokens, operators: operators.map(operatorOf) };
  const server = { current: () => ({ console }) };
  const identify = createIdentify({
    server,
    githubApiUrl: github.apiUrl,
    keysAskedAgainAfterMs: 0,
    clock: CLOCK,
  });
  const login = createLogin(policy, {
    githubUrl: github.url,
    githubApiUrl: github.apiUrl,
    settings: {
      url: CONSOLE_URL,
      sessionKeys: [SESSION_KEY],
      githubSecret: new Secret('client secret'),
      oidcSecret: undefined,
      ...settings,
    },
    store,
    trustedProxies,
    logger: pino({ level: 'silent' }),
  });
  const { askAccess = lettingIn(() => true) } = staged;
  return {
    findVisitor: createFindVisitor({ access, identify, policy, login }),
    ...createRepositoryAccess({ askAccess, clock: CLOCK }),
    identify,
    operatorRights: createOperatorRights(server),
    login,
    loginMode: policy?.mode,
    trustedProxies,
    csrf: createCsrf(Buffer.alloc(32, 7)),
  };
}

/** A browser, as far as logins need one: it keeps cookies for each host, and follows redirects. */
export class Browser {
  /** The real address of `CONSOLE_URL`; another console can take its place. */
  console: string;
  readonly cookies = new Map<string, Map<string, string>>();

  constructor(consoleAddress: string) {
    this.console = consoleAddress;
  }

  /** One request, without following where it leads. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, CONSOLE_URL);
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    const real = url.origin === CONSOLE_URL ? new URL(url.pathname + url.search, this.console) : url;
    const response = await fetch(real, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return response;
  }

  /** Follows redirects, as a person who opens an address. Returns the last answer and where it came from. */
  async open(address: string, init: RequestInit = {}): Promise<{ readonly url: URL; readonly response: Response }> {
    let url = new URL(address, CONSOLE_URL);
    let response = await this.ask(url.href, init);
    for (let hops = 0; response.status >= 300 && response.status < 400; hops += 1) {
      if (hops > 20) throw new Error(`expected an end of redirects, found ${url.href}`);
      url = new URL(response.headers.get('location') ?? '', url);
      response = await this.ask(url.href);
    }
    return { url, response };
  }

  /** Sends the form of a page that ends at this path, with its hidden fields. */
  async submit(page: string, action: string, index = 0, headers: Record<string, string> = {}): Promise<Response> {
    const { to, body } = formIn(await (await this.ask(page)).text(), page, action, index);
    return this.ask(to, { method: 'POST', body, headers });
  }

  jarOf(url: URL): Map<string, string> {
    const jar = this.cookies.get(url.host) ?? new Map<string, string>();
    this.cookies.set(url.host, jar);
    return jar;
  }

  /** The console's own. */
  get own(): Map<string, string> {
    return this.jarOf(new URL(CONSOLE_URL));
  }
}

/** The form in the text of a page that ends at this path: where it goes, with its hidden fields. */
export function formIn(text: string, page: string, action: string, index = 0) {
  const forms = [...text.matchAll(/<form[^>]*action="(?<action>[^"]*)"[^>]*>(?<body>[^]*?)<\/form>/g)];
  const form = forms.filter(({ groups }) => groups?.['action']?.endsWith(action))[index]?.groups;
  if (form === undefined) throw new Error(`expected a form for ${action}, found: ${text}`);
  const fields = [...(form['body'] ?? '').matchAll(/name="(?<name>[^"]*)" value="(?<value>[^"]*)"/g)];
  const body = new URLSearchParams(
    fields.map(({ groups }): [string, string] => [groups?.['name'] ?? '', groups?.['value'] ?? '']),
  );
  return { to: new URL(form['action'] ?? '', new URL(page, CONSOLE_URL)).href, body };
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const isGone = attributes.some((one) => /^ *(max-age=0|expires=Thu, 01 Jan 1970)/i.test(one));
  if (isGone || value === '') jar.delete(name);
  else jar.set(name, value);
}
