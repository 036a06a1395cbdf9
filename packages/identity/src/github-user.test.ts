import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createGitHubUsers } from './github-user.ts';

const APP_ID = 7;
const ADA = { status: 200, body: { login: 'ada', id: 1 } };

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A GitHub that answers `GET /user` with Ada, and `GET /user/installations` like this. */
async function aGitHub(installations: Answer, user: Answer = ADA) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const { status, body, headers } = url.startsWith('/user/installations') ? installations : user;
    response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`, asked };
}

const installationsOf = (...appIds: readonly unknown[]): Answer => ({
  status: 200,
  body: { total_count: appIds.length, installations: appIds.map((app_id) => ({ app_id })) },
});

describe('where the App is known, a token proves who somebody is', () => {
  test('when it was made with this App', async () => {
    const { url, asked } = await aGitHub(installationsOf(APP_ID));

    expect(await createGitHubUsers(url, { appId: APP_ID })('ghu_ada')).toEqual({
      kind: 'person',
      person: { login: 'ada', id: 1 },
    });
    expect(asked.sort()).toEqual(['/user', '/user/installations?per_page=1']);
  });

  test.each<[string, Answer]>([
    ['another App', installationsOf(8)],
    ['an App whose id is a text', installationsOf(String(APP_ID))],
    ['an App that is not named', installationsOf(undefined)],
    ['no App, such as one that the person made', { status: 403, body: { message: 'You must authenticate' } }],
  ])('not when it was made with %s', async (_what, installations) => {
    const { url } = await aGitHub(installations);

    expect(await createGitHubUsers(url, { appId: APP_ID })('token')).toEqual({
      kind: 'nobody',
      why: 'this login was made with another program than the GitHub App 7: log in to the console again',
    });
  });

  test.each([{ 'retry-after': '60' }, { 'x-ratelimit-remaining': '0' }])(
    'later, when the person has asked GitHub too often: %j',
    async (headers) => {
      const { url } = await aGitHub({ status: 403, body: {}, headers });

      await expect(createGitHubUsers(url, { appId: APP_ID })('ghu_ada')).rejects.toMatchObject({
        code: 'PROVIDER_UNAVAILABLE',
      });
    },
  );

  test('not when nobody can tell, because the person has no access to any of its installations', async () => {
    const { url } = await aGitHub(installationsOf());

    expect(await createGitHubUsers(url, { appId: APP_ID })('ghu_ada')).toEqual({
      kind: 'nobody',
      why: expect.stringContaining('you have access to no repository in which the GitHub App 7 is installed'),
    });
  });

  test.each([404, 429, 500, 502])('later, when GitHub does not say: status %d', async (status) => {
    const { url } = await aGitHub({ status, body: {} });

    await expect(createGitHubUsers(url, { appId: APP_ID })('ghu_ada')).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('not when GitHub does not know it any more, and that is the reason', async () => {
    const gone = { status: 401, body: { message: 'Bad credentials' } };
    const { url } = await aGitHub(gone, gone);

    expect(await createGitHubUsers(url, { appId: APP_ID })('ghu_ada')).toEqual({
      kind: 'nobody',
      why: 'GitHub does not know this login any more: log in again',
    });
  });
});

test('where the login itself made the token, its person is asked for and nothing else', async () => {
  const { url, asked } = await aGitHub(installationsOf(8));

  expect(await createGitHubUsers(url)('ghu_ada')).toMatchObject({ kind: 'person' });
  expect(asked).toEqual(['/user']);
});
