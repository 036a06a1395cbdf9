import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashOfToken, type ConsolePolicy, type LoginConfig } from '@nereid/config';
import type { LoginProof } from '@nereid/domain/intake';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { createIdentify } from '@nereid/identity';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { sealedProof, signedEvent } from '../../testing/test-signatures.ts';
import { createIntakeActivities } from '../intake-activities.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import type { StagedRepository } from '../testing/staged-repository.ts';

const CLIENT = {
  clientId: 'Iv23liNereid',
  clientSecret: 'secret',
  redirectUri: 'https://console.example/login/callback',
};
const APP_ID = 1;
const TOKEN = 'nereid_of_a_test';

/** What is said of nobody whom control does not believe. */
const BELIEVED = 'network is not locked';

const stage = intakeStageOfThisFile();
let repository: StagedRepository;
let provider: Awaited<ReturnType<typeof aProvider>>;
let people: GitHubStandIn;
const folder = folderOfThisFile();

beforeAll(async () => {
  repository = await stage.repository({ 'main.tf': '' });
  provider = await aProvider();
  const { publicKey: key } = makeAppKey();
  people = await startGitHub({ dataDir: folder, app: { id: APP_ID, slug: 'nereid', key }, oauth: CLIENT });
  const collaborators = { ada: 'admin', wim: 'write' } as const;
  await people.createRepository({ owner: 'acme', name: 'infra', files: { 'main.tf': '' }, collaborators });
});
afterAll(async () => {
  await people.close();
  await provider.close();
});

describe('control believes who asks', () => {
  test.each<LoginConfig['mode'] | 'token'>(['local', 'github', 'oidc', 'proxy', 'token'])(
    'control believes a login whose proof says so: %s',
    async (mode) => {
      expect(await ask(mode, await proofBy(mode), 'ada')).toMatchObject({ kind: 'refused', sentence: BELIEVED });
    },
  );

  test.each<LoginConfig['mode'] | 'token'>(['local', 'github', 'oidc', 'proxy', 'token'])(
    'control believes nobody who poses as somebody else: %s',
    async (mode) => {
      await expect(ask(mode, await proofBy(mode), 'wim')).rejects.toMatchObject({ type: 'FORGED', nonRetryable: true });
    },
  );

  test('not when the id is that of another account', async () => {
    const asked = ask('github', await proofBy('github'), 'ada', { senderId: 1 });

    await expect(asked).rejects.toMatchObject({ type: 'FORGED' });
  });

  test('by the login of the server’s file alone', async () => {
    expect(await ask('oidc', { mode: 'local' }, 'ada')).toMatchObject({
      kind: 'refused',
      sentence: 'people log in by oidc here, not by local',
    });
  });
});

describe('a proof that was made for another program counts for nothing', () => {
  test('a token of another GitHub App', async () => {
    expect(await ask('github', await proofBy('github'), 'ada', { appId: APP_ID + 1 })).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('log in to the console again'),
    });
  });

  test.each([
    ['an ID token that another client shows', { azp: 'another' }],
    ['an ID token for several clients, which does not say who shows it', { aud: ['nereid', 'another'] }],
  ])('%s proves nothing', async (_what, claims) => {
    const idToken = await provider.token(600, claims);

    expect(await ask('oidc', { mode: 'oidc', idToken }, 'ada')).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('your login is for another program'),
    });
  });

  test('but not an ID token for several clients that this one shows', async () => {
    const idToken = await provider.token(600, { aud: ['nereid', 'another'], azp: 'nereid' });

    expect(await ask('oidc', { mode: 'oidc', idToken }, 'ada')).toMatchObject({ sentence: BELIEVED });
  });
});

describe('a proof that ended', () => {
  test.each<[LoginConfig['mode'] | 'token', () => Promise<LoginProof> | LoginProof, string]>([
    [
      'github',
      () => ({ mode: 'github', token: 'ghu_revoked' }),
      'GitHub does not know this login any more: log in again',
    ],
    [
      'oidc',
      async () => ({ mode: 'oidc', idToken: await provider.token(-120) }),
      'your login has expired: log in again',
    ],
    [
      'proxy',
      async () => ({ mode: 'proxy', assertion: await provider.token(-120) }),
      'your login has expired: log in again',
    ],
    ['token', () => ({ mode: 'token', token: 'nereid_ended' }), 'the token old ended on 2026-01-31: make a new one'],
    ['token', () => ({ mode: 'token', token: 'nereid_unknown' }), 'this token is not known here'],
  ])('is refused with a sentence: %s', async (mode, make, sentence) => {
    expect(await ask(mode, await make(), 'ada')).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining(sentence),
    });
  });

  test('while the request waited for a worker was good when the console received it', async () => {
    const idToken = await provider.token(-120);
    const receivedAt = new Date(Date.now() - 600_000).toISOString();

    const answer = await ask('oidc', { mode: 'oidc', idToken }, 'ada', { receivedAt });

    expect(answer).toMatchObject({ sentence: BELIEVED });
  });
});

test('a proof is for one request: with another it counts for nothing', async () => {
  const proof = await sealedProof({ mode: 'local' }, 'another', { repository: repository.repository });

  expect(await ask('local', { mode: 'local' }, 'ada', { proof })).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining('nobody knows who asked'),
  });
});

test.each([
  [{ scopes: ['read'] as const }, 'the token ci has no scope "unlock"'],
  [{ repositories: ['acme/another'] }, 'the token ci is not for'],
])('a token does no more than its entry says: %j', async (changes, sentence) => {
  expect(await ask('token', await proofBy('token'), 'ada', { token: changes })).toMatchObject({
    kind: 'refused',
    sentence: expect.stringContaining(sentence),
  });
});

interface Changes {
  readonly senderId?: number;
  readonly receivedAt?: string;
  readonly proof?: string;
  readonly token?: object;
  /** The App whose tokens count. */
  readonly appId?: number;
}

async function ask(mode: LoginConfig['mode'] | 'token', proof: LoginProof, sender: string, changes: Changes = {}) {
  const delivery = randomUUID();
  const console = policyFor(mode, changes.token);
  const options = { server: { current: () => ({ console }) }, githubApiUrl: people.apiUrl };
  const identify = createIdentify({ ...options, appId: changes.appId ?? APP_ID });
  // The console knows them by the same proof, which its own login made.
  const known = await createIdentify(options)(proof, new Date());
  const { senderId = known.kind === 'person' ? known.person.id : undefined } = changes;
  const received = await signedEvent({
    version: 1,
    delivery,
    receivedAt: changes.receivedAt ?? new Date().toISOString(),
    event: {
      kind: 'request',
      repository: repository.repository,
      request: { action: 'unlock', rootName: 'network', deployment: 'd0' },
      sender,
      ...(senderId !== undefined && { senderId }),
      proof: changes.proof ?? (await sealedProof(proof, delivery, { repository: repository.repository })),
    },
  });
  const info = { attempt: 1, scheduledTimestampMs: Date.now() };
  const activity = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  const activities = createIntakeActivities({ ...stage.context, identify });
  return activity.run(() => activities.handleEvent(received));
}

function policyFor(mode: LoginConfig['mode'] | 'token', token: object = {}): ConsolePolicy {
  const { issuer } = provider;
  const logins: Readonly<Record<LoginConfig['mode'], LoginConfig>> = {
    local: { mode: 'local', as: 'ada' },
    github: { mode: 'github', clientId: CLIENT.clientId },
    oidc: { mode: 'oidc', issuer, clientId: 'nereid', claim: 'preferred_username', vouchesForEmail: false },
    proxy: {
      mode: 'proxy',
      header: 'x',
      issuer,
      audience: 'nereid',
      keysUrl: `${issuer}/keys`,
      claim: 'email',
      vouchesForEmail: true,
    },
  };
  const common = { login: 'ada', scopes: ['unlock'], repositories: ['acme/*'] } as const;
  const expires = '2999-01-01T00:00:00.000Z';
  const old = { ...common, name: 'old', sha256: hashOfToken('nereid_ended'), expires: '2026-01-31T00:00:00.000Z' };
  return {
    ...(mode !== 'token' && { login: logins[mode] }),
    people: new Map([['ada@company.example', 'ada']]),
    operators: [],
    tokens: [{ ...common, name: 'ci', sha256: hashOfToken(TOKEN), expires, ...token }, old],
  };
}

async function proofBy(mode: LoginConfig['mode'] | 'token'): Promise<LoginProof> {
  switch (mode) {
    case 'local':
      return { mode };
    case 'github':
      return { mode, token: await userToken('ada') };
    case 'oidc':
      return { mode, idToken: await provider.token(600) };
    case 'proxy':
      return { mode, assertion: await provider.token(600) };
    case 'token':
      return { mode, token: TOKEN };
  }
}

/** As the person agrees on GitHub's page. */
async function userToken(login: string): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri } = CLIENT;
  const query = new URLSearchParams({ client_id, redirect_uri, state: 's' });
  const agreed = await fetch(`${people.url}/login/oauth/authorized?${query.toString()}`, {
    headers: { cookie: `who=${login}` },
    redirect: 'manual',
  });
  const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const body = new URLSearchParams({ client_id, client_secret, redirect_uri, code });
  const answer: unknown = await (
    await fetch(`${people.url}/login/oauth/access_token`, { method: 'POST', body })
  ).json();
  return (answer as { access_token: string }).access_token; // As GitHub answers.
}

/** Whoever vouches for people of the company, with the keys where they are looked for. */
async function aProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' };
  const server: Server = createServer(({ url }, response) => {
    const about = { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/keys' ? { keys: [key] } : about));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`;
  return {
    issuer,
    /** Ends in this many seconds. */
    token: (lifeS: number, claims: JWTPayload = {}) => {
      const nowS = Math.floor(Date.now() / 1_000);
      return new SignJWT({ preferred_username: 'ada', email: 'ada@company.example', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: '1' })
        .setIssuer(issuer)
        .setAudience(claims.aud ?? 'nereid')
        .setIssuedAt(nowS - 900)
        .setExpirationTime(nowS + lifeS)
        .sign(privateKey);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
