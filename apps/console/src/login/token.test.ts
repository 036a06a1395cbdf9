import { afterEach, describe, expect, jest, test } from '@jest/globals';

import { hashOfToken, type ApiToken } from '@nereid/config';
import { aDeployment } from '@nereid/domain/testing';
import { aConsole, aLaneRecord, RUNNING } from '../testing.ts';
import { readEvents } from '../platform/streams/testing.ts';
import { clockAt } from './fixtures/clock.ts';
import { lettingIn } from './testing.ts';

afterEach(() => void jest.useRealTimers());

const TOKEN = 'nereid_of_a_test';
const ENTRY: ApiToken = {
  name: 'ci',
  sha256: hashOfToken(TOKEN),
  login: 'robot',
  scopes: ['read'],
  repositories: ['acme/infra'],
  expires: '2999-01-01T23:59:59.999Z',
};

/** With a lane in each of two repositories. */
async function withToken(changes: Partial<ApiToken> = {}) {
  const tokens = [{ ...ENTRY, ...changes }];
  const console = await aConsole({ lane: { running: RUNNING }, login: { policy: undefined, tokens } });
  const repository = { owner: 'acme', name: 'secret', installationId: 1 };
  const other = { ...aDeployment({ status: 'planning' }), id: '00000000-0d4b-4e7a-9c55-1f0e6b7a2d90' };
  await console.lanes.write({ ...aLaneRecord({ running: other }), repository }, null);
  const ask = (path: string, token = TOKEN) => console.get(path, { authorization: `Bearer ${token}` });
  return { ...console, ask, tokens };
}

describe('a script with a token', () => {
  test('reads what its repositories have, and nothing else is there', async () => {
    const { ask } = await withToken();

    const lanes = await (await ask('/api/v1/lanes')).json();

    expect(lanes).toMatchObject({ items: [{ repository: 'acme/infra' }] });
    expect(JSON.stringify(lanes)).not.toContain('secret');
    expect((await ask('/api/v1/lanes/acme/infra/network')).status).toBe(200);
  });

  test.each([
    '/api/v1/lanes/acme/secret/network',
    '/api/v1/rollouts/acme/secret/1f0e6b7a2d9000000000000000000000000000000',
    '/api/v1/deployments/00000000-0d4b-4e7a-9c55-1f0e6b7a2d90?lane=acme/secret/network',
    '/api/v1/pulls/acme/secret/1',
  ])('cannot tell %s from what never was', async (path) => {
    const { ask } = await withToken();
    const never = path.replace('secret', 'never-was');

    const [hidden, absent] = [await ask(path), await ask(never)];

    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(await hidden.text()).toBe(await absent.text());
  });

  test('may read only with the scope for that', async () => {
    const { ask } = await withToken({ scopes: ['deploy'] });

    const answer = await ask('/api/v1/lanes');

    expect([answer.status, await answer.json()]).toEqual([
      403,
      expect.objectContaining({ detail: 'The token ci has no scope "read".' }),
    ]);
  });

  test('gets nothing more of a stream once its token is removed', async () => {
    const { url, tokens } = await withToken();
    const stream = await readEvents(`${url}/api/v1/events`, { authorization: `Bearer ${TOKEN}` });
    expect(await stream.next()).toMatchObject({ event: 'reset' });

    tokens.splice(0);
    clockAt(6_000);

    expect(await stream.next()).toBeUndefined();
  });

  test('is told when its token ended', async () => {
    const { ask } = await withToken({ expires: '2026-01-31T23:59:59.999Z' });

    const answer = await ask('/api/v1/lanes');

    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('ended on 2026-01-31') });
  });

  test('is nobody with an unknown one, and so on pages as well', async () => {
    const { ask } = await withToken();

    const [answer, page] = [await ask('/api/v1/lanes', 'nereid_x'), await ask('/lanes', 'nereid_x')];

    expect([answer.status, page.status]).toEqual([401, 401]);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('not known here') });
  });

  test('is nobody once its token is removed from the server’s file', async () => {
    const { ask, tokens } = await withToken();
    expect((await ask('/api/v1/lanes')).status).toBe(200);

    tokens.length = 0;

    expect((await ask('/api/v1/lanes')).status).toBe(401);
  });

  test('sees no more than the login for which it acts', async () => {
    const login = { policy: undefined, tokens: [ENTRY], askAccess: lettingIn(() => false) };
    const { get } = await aConsole({ lane: { running: RUNNING }, login });

    const lanes = await (await get('/api/v1/lanes', { authorization: `Bearer ${TOKEN}` })).json();

    expect(lanes).toMatchObject({ items: [], counts: {} });
  });
});
