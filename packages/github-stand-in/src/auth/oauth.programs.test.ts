import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aGitHub, OAUTH, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

const VERIFIER = 'a verifier of forty-three characters, at least';

let world: AGitHub;
beforeAll(async () => {
  world = await aGitHub({ oauth: { ...OAUTH, tokenLifeMs: 8 * 3_600_000 } });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('the App acts for a person', () => {
  test('who agreed, and knows who it is and what they may read', async () => {
    const token = await userToken('rea');

    const user = await world.api('GET', '/user', undefined, { token });
    const repository = await world.api('GET', `/repos/${REPOSITORY}`, undefined, { token });

    expect([user.status, at(user.body, 'login'), repository.status]).toEqual([200, 'rea', 200]);
  });

  test('and may do nothing else with that', async () => {
    const token = await userToken('rea');

    const { status } = await world.api('GET', `/repos/${REPOSITORY}/branches`, undefined, { token });

    expect(status).toBe(403);
  });

  test('to whom a private repository is not there without a role', async () => {
    await world.github.createRepository({
      owner: 'acme',
      name: 'closed',
      files: { a: '' },
      collaborators: {},
      private: true,
    });

    const { status } = await world.api('GET', '/repos/acme/closed', undefined, { token: await userToken('rea') });

    expect(status).toBe(404);
  });

  test('lists what they were let into, a hundred at a time, and nothing that everybody reads', async () => {
    const common = { owner: 'acme', files: { a: '' } };
    await world.github.createRepository({ ...common, name: 'open', collaborators: {}, private: false });
    await world.github.createRepository({ ...common, name: 'second', collaborators: { rea: 'write' } });
    await world.github.createRepository({ ...common, owner: 'others', name: 'x', collaborators: { stranger: 'read' } });
    const token = await userToken('rea');

    const listed = await world.api('GET', '/user/installations?per_page=100', undefined, { token });
    const path = `/user/installations/${String(at(listed.body, 'installations', 0, 'id'))}/repositories`;
    const first = await world.api('GET', `${path}?per_page=1`, undefined, { token });
    const second = await world.api('GET', `${path}?per_page=1&page=2`, undefined, { token });

    expect([at(listed.body, 'total_count'), at(listed.body, 'installations', 0, 'account', 'login')]).toEqual([
      1,
      'acme',
    ]);
    expect(
      [first, second].map(({ body }) => [at(body, 'total_count'), at(body, 'repositories', 0, 'full_name')]),
    ).toEqual([
      [2, REPOSITORY],
      [2, 'acme/second'],
    ]);
    expect(at(second.body, 'repositories', 0, 'permissions')).toMatchObject({ pull: true, push: true, admin: false });
    const stranger = await world.api('GET', path, undefined, { token: await userToken('stranger') });
    expect(stranger.status).toBe(404);
  });

  test('whose login changes, while the id stays', async () => {
    const token = await userToken('tia');
    const before = await world.api('GET', '/user', undefined, { token });

    world.github.renameAccount('tia', 'tia-new');

    const after = await world.api('GET', '/user', undefined, { token });
    expect([at(after.body, 'login'), at(after.body, 'id')]).toEqual(['tia-new', at(before.body, 'id')]);
  });
});

describe('a token is not given', () => {
  test.each<[string, Record<string, string>, string]>([
    ['without the secret of the client', { client_secret: 'x' }, 'incorrect_client_credentials'],
    ['for a verifier that does not fit', { code_verifier: 'another' }, 'bad_verification_code'],
    ['for another address', { redirect_uri: 'https://evil.example' }, 'redirect_uri_mismatch'],
    ['for a made-up code', { code: 'x' }, 'bad_verification_code'],
  ])('no token is given %s', async (_why, changes, error) => {
    expect(await exchange(await code('rea'), changes)).toMatchObject({ error });
  });

  test('twice for the same code', async () => {
    const once = await code('rea');
    await exchange(once);

    expect(await exchange(once)).toMatchObject({ error: 'bad_verification_code' });
  });
});

describe('a token ends', () => {
  test('when it is refreshed, and its refresh token with it', async () => {
    const first = await exchange(await code('rea'));
    const refreshed = await refresh(first['refresh_token'] ?? '');

    expect((await world.api('GET', '/user', undefined, { token: first['access_token'] ?? '' })).status).toBe(401);
    expect((await world.api('GET', '/user', undefined, { token: refreshed['access_token'] ?? '' })).status).toBe(200);
    expect(await refresh(first['refresh_token'] ?? '')).toMatchObject({ error: 'bad_refresh_token' });
  });

  test.each<['token' | 'grant', number]>([
    ['token', 200],
    ['grant', 401],
  ])('ends when the App revokes the %s: another token of the person then answers %d', async (what, status) => {
    const [token, other] = [await userToken('max'), await userToken('max')];

    const revoked = await revoke(what, token);

    expect(revoked.status).toBe(204);
    expect((await world.api('GET', '/user', undefined, { token })).status).toBe(401);
    expect((await world.api('GET', '/user', undefined, { token: other })).status).toBe(status);
  });

  test('by nobody else’s word', async () => {
    expect((await revoke('token', await userToken('max'), 'another secret')).status).toBe(404);
  });
});

async function code(login: string): Promise<string> {
  const query = new URLSearchParams({
    ...{ client_id: OAUTH.clientId, redirect_uri: OAUTH.redirectUri, state: 's' },
    ...{ code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'), code_challenge_method: 'S256' },
  });
  const answer = await fetch(`${world.github.url}/login/oauth/authorized?${query.toString()}`, {
    headers: { cookie: `who=${login}` },
    redirect: 'manual',
  });
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

function exchange(text: string, changes: Record<string, string> = {}) {
  return ask({ code: text, redirect_uri: OAUTH.redirectUri, code_verifier: VERIFIER, ...changes });
}

function refresh(token: string) {
  return ask({ grant_type: 'refresh_token', refresh_token: token });
}

async function ask(fields: Record<string, string>): Promise<Record<string, string>> {
  const client = { client_id: OAUTH.clientId, client_secret: OAUTH.clientSecret };
  const body = new URLSearchParams({ ...client, ...fields });
  const answer = await fetch(`${world.github.url}/login/oauth/access_token`, { method: 'POST', body });
  return (await answer.json()) as Record<string, string>; // As GitHub answers, with numbers besides.
}

async function userToken(login: string): Promise<string> {
  return (await exchange(await code(login)))['access_token'] ?? '';
}

function revoke(what: 'token' | 'grant', token: string, secret = OAUTH.clientSecret) {
  const basic = Buffer.from(`${OAUTH.clientId}:${secret}`).toString('base64');
  const url = `${world.github.apiUrl}/applications/${OAUTH.clientId}/${what}`;
  const body = JSON.stringify({ access_token: token });
  return fetch(url, { method: 'DELETE', headers: { authorization: `Basic ${basic}` }, body });
}
