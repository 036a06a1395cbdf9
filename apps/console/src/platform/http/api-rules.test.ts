import { expect, test } from '@jest/globals';
import { aConsole, RUNNING } from '../../testing.ts';

test('an empty filter of the API is refused, and one of a page counts as none', async () => {
  const { get } = await aConsole({ isLocal: true });

  const api = await get('/api/v1/lanes?repository=&limit=2');
  const page = await get('/lanes?repository=');

  expect(await api.json()).toMatchObject({
    status: 400,
    detail: 'Expected a value of “repository”, found none: leave it out.',
  });
  expect(page.status).toBe(200);
});

test.each([
  ['DELETE', '/api/v1/lanes', 'GET, HEAD'],
  ['GET', '/api/v1/lanes/acme/infra/network/unlock', 'POST'],
  ['PUT', '/api/v1/deployments/3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90/confirm', 'POST'],
])('%s is no method of %s, which says what is', async (method, path, allow) => {
  const { url } = await aConsole({ isLocal: true });

  const answer = await fetch(url + path, { method });

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
});

test.each(['/pulls/acme/in%1Ffra/5', '/pulls/acme/%2e%2e/5', '/lanes/acme/infra/-', '/deployments/5'])(
  'what is no name names nothing: %s',
  async (path) => {
    const { get } = await aConsole({ isLocal: true });

    expect((await get(`/api/v1${path}`)).status).toBe(404);
  },
);

test('what the API does not have is not found, whatever the method', async () => {
  const { url } = await aConsole({ isLocal: true });

  expect((await fetch(`${url}/api/v1/cows`, { method: 'DELETE' })).status).toBe(404);
});

test.each([
  ['deployments', 'GET, HEAD'],
  ['repositories/acme/infra/deploy', 'POST'],
])('the path %s says how it is asked', async (path, allowed) => {
  const { url } = await aConsole({ isLocal: true });

  const answer = await fetch(`${url}/api/v1/${path}`, { method: 'OPTIONS' });

  expect([answer.status, answer.headers.get('allow')]).toEqual([204, allowed]);
});

test.each([
  [`/deployments/${RUNNING.id}?lane=${'x'.repeat(301)}`, '“lane” is not what the description of this operation says.'],
  [`/deployments/${RUNNING.id}/logs/plan/events?offset=1&offset=2`, '“offset” is given more than once.'],
  [`/lanes?limit=many`, '“limit” is not what the description of this operation says.'],
])('a query is as its description says, whichever route answers: %s', async (path, detail) => {
  const { get } = await aConsole({ isLocal: true, lane: { running: RUNNING } });

  const answer = await get(`/api/v1${path}`);

  expect(await answer.json()).toMatchObject({ status: 400, detail });
});
