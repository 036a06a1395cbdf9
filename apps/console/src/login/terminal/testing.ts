/** Test fixtures of logins from a terminal: consoles whose people log in at GitHub or at an OpenID provider, and those people. */
import { once } from 'node:events';
import { createServer, request as requestTo } from 'node:http';
import { afterEach, jest } from '@jest/globals';
import { DeviceAnswer, DeviceLogin } from '@nereid/api';
import { Secret } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { createAskGitHub } from '../../access/github/ask-github.ts';
import { aConsole, RUNNING, type Outside } from '../../testing.ts';
import { aLoginGitHub, CLIENT } from '../fixtures/a-login-github.ts';
import {
  anOpenIdProvider,
  CLIENT_ID,
  type OpenIdOptions,
  type OpenIdProvider,
} from '../fixtures/an-openid-provider.ts';
import { Browser, formIn, type StagedLogin } from '../testing.ts';

export { clockAt } from '../fixtures/clock.ts';

export type LoginConsole = Awaited<ReturnType<typeof aConsole>>;

const endings: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const end of endings.splice(0).reverse()) await end();
});

export type Decision = 'agree' | 'refuse';

/** Where people log in, with as many consoles of one installation as a test wants. */
export interface LoginPlace {
  console(outside?: Outside, staged?: Partial<StagedLogin>): Promise<LoginConsole>;
  /** What a person does in their browser about a code. */
  decide(userCode: string, decision: Decision, person?: string): Promise<void>;
}

export interface GitHubPlace extends LoginPlace {
  readonly github: GitHubStandIn;
}

export interface GitHubPlaceOptions {
  readonly tokenLifeMs?: number;
  /** False: the App has no device flow. */
  readonly hasDeviceFlow?: boolean;
}

/** `acme/infra`, a private repository that `rea` reads. */
export async function aGitHubPlace({
  tokenLifeMs,
  hasDeviceFlow = true,
}: GitHubPlaceOptions = {}): Promise<GitHubPlace> {
  const github = await aLoginGitHub(defined({ tokenLifeMs, deviceFlow: hasDeviceFlow ? { intervalS: 1 } : undefined }));
  const policy = { mode: 'github', clientId: CLIENT.clientId } as const;
  const settings = { githubSecret: new Secret(CLIENT.clientSecret) };
  const askAccess = createAskGitHub(github.apiUrl);
  return {
    github,
    console: (outside = {}, staged = {}) => consoleOf({ policy, github, askAccess, ...staged }, settings, outside),
    async decide(userCode, decision, person = 'rea') {
      const body = new URLSearchParams({
        user_code: userCode,
        answer: decision === 'agree' ? 'authorize' : 'cancel',
      });
      const headers = { cookie: `who=${person}` };
      const answer = await fetch(`${github.url}/login/device`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`expected that GitHub takes the code ${userCode}, found: ${await answer.text()}`);
    },
  };
}

export interface OpenIdPlace extends LoginPlace {
  readonly provider: OpenIdProvider;
}

/** The person is `ada`. */
export async function anOpenIdPlace(options: OpenIdOptions = {}): Promise<OpenIdPlace> {
  // It says that it is not set up for production.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockReturnValue(undefined);
  const provider = await anOpenIdProvider({ deviceFlow: 'on', ...options });
  endings.push(() => provider[Symbol.asyncDispose]());
  const { issuer } = provider;
  const policy = {
    mode: 'oidc',
    issuer,
    clientId: CLIENT_ID,
    claim: 'preferred_username',
    vouchesForEmail: false,
  } as const;
  return {
    provider,
    console: (outside = {}, staged = {}) => consoleOf({ policy, ...staged }, {}, outside),
    async decide(userCode, decision) {
      const browser = new Browser('http://nowhere.invalid');
      const page = `${issuer}/device?user_code=${userCode}`;
      const confirm = await browser.submit(page, '/device');
      const { to, body } = formIn(await confirm.text(), page, '/device');
      if (decision === 'refuse') body.set('abort', 'yes');
      await browser.open(to, { method: 'POST', body });
    },
  };
}

function consoleOf(login: StagedLogin, settings: StagedLogin['settings'], outside: Outside): Promise<LoginConsole> {
  const all = { ...settings, ...login.settings };
  return aConsole({ lane: { running: RUNNING }, ...outside, login: { ...login, settings: all } });
}

/** One request of a program, as JSON. */
export function post(console: { readonly url: string }, path: string, body: object = {}, session?: string) {
  const authorization = session === undefined ? {} : { authorization: `Bearer ${session}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return fetch(`${console.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function beginLogin(console: { readonly url: string }): Promise<DeviceLogin> {
  return DeviceLogin.parse(await (await post(console, '/login/device')).json());
}

export async function askLogin(console: { readonly url: string }, device: string): Promise<DeviceAnswer> {
  return DeviceAnswer.parse(await (await post(console, '/login/device/token', { device })).json());
}

/** Logs somebody in; returns their session. */
export async function logIn(place: LoginPlace, console: { readonly url: string }, person?: string): Promise<string> {
  const { device, userCode } = await beginLogin(console);
  await place.decide(userCode, 'agree', person);
  const answer = await askLogin(console, device);
  if (answer.state !== 'done') throw new Error('expected a session, found none yet');
  return answer.session;
}

/** One address of several consoles, which take turns, as behind a load balancer. `onRequest` is told the path of each request. */
export async function inTurns(
  urls: readonly string[],
  onRequest: (path: string) => void = () => undefined,
): Promise<{ readonly url: string }> {
  let turn = 0;
  const server = createServer((request, response) => {
    onRequest(request.url ?? '');
    const url = new URL(request.url ?? '', urls[turn % urls.length]);
    turn += 1;
    const onwards = requestTo(url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.once('error', () => response.destroy());
    request.pipe(onwards);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port, found none');
  return { url: `http://127.0.0.1:${address.port}` };
}
