/** How somebody logs in from a terminal, at GitHub and at a provider of OpenID Connect. */
import { describe, expect, test } from '@jest/globals';
import { SESSION_PREFIX } from '@nereid/api';
import { aConsole } from '../../testing.ts';
import { aGitHubPlace, anOpenIdPlace, askLogin, beginLogin, clockAt, post, type LoginPlace } from './testing.ts';

const LANE = '/api/v1/lanes/acme/infra/network';
const FOREIGN = { settings: { url: 'https://another.example' } };

describe.each<[string, () => Promise<LoginPlace>, string, string]>([
  ['GitHub', aGitHubPlace, 'rea', '/login/device'],
  ['OpenID Connect', anOpenIdPlace, 'ada', '/device'],
])('a login from a terminal with %s', (_name, aPlace, person, page) => {
  test('waits until the person has agreed, and is theirs then', async () => {
    const place = await aPlace();
    const console = await place.console();

    const { userCode, device, verificationUri, interval } = await beginLogin(console);
    const before = await askLogin(console, device);
    await place.decide(userCode, 'agree');
    clockAt(5_000);
    const after = await askLogin(console, device);

    expect([new URL(verificationUri).pathname, interval]).toEqual([page, 1]);
    expect(before).toEqual({ state: 'pending' });
    expect(after).toEqual({ state: 'done', session: expect.stringMatching(new RegExp(`^${SESSION_PREFIX}`)) });
    const session = 'session' in after ? after.session : '';
    const authorization = `Bearer ${session}`;
    expect(await (await console.get('/api/v1/me', { authorization })).json()).toEqual({ login: person });
    expect((await console.get(LANE, { authorization })).status).toBe(200);
  });

  test('is refused when the person refuses, and when they used the code already', async () => {
    const place = await aPlace();
    const console = await place.console();
    const [refused, used] = [await beginLogin(console), await beginLogin(console)];
    await place.decide(refused.userCode, 'refuse');
    await place.decide(used.userCode, 'agree');
    await askLogin(console, used.device);

    const no = await post(console, '/login/device/token', { device: refused.device });
    const again = await post(console, '/login/device/token', { device: used.device });

    expect([no.status, await no.json()]).toEqual([
      409,
      expect.objectContaining({ detail: 'The login did not succeed: you did not agree: begin again.' }),
    ]);
    expect(again.status).toBe(409);
  });

  test('goes on at another console of the installation, and at no other installation', async () => {
    const place = await aPlace();
    const console = await place.console();
    const foreign = await place.console({}, FOREIGN);
    const { userCode, device } = await beginLogin(console);
    await place.decide(userCode, 'agree');

    const there = await post(foreign, '/login/device/token', { device });
    const beside = await askLogin({ url: await console.another('beside') }, device);

    expect([there.status, await there.json()]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining('did not begin at this console') }),
    ]);
    expect(beside.state).toBe('done');
  });

  test('ends when the code has expired', async () => {
    const place = await aPlace();
    const console = await place.console();
    const { device, expiresIn } = await beginLogin(console);

    clockAt(expiresIn * 1_000 + 1_000);

    const answer = await post(console, '/login/device/token', { device });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining('the code has expired') }),
    ]);
  });
});

test('a terminal that asks too often is told to ask less', async () => {
  const console = await (await aGitHubPlace()).console();
  const { device } = await beginLogin(console);
  clockAt(0);
  await askLogin(console, device);

  expect(await askLogin(console, device)).toEqual({ state: 'pending', slowDownS: 5 });
});

test('the questions of one terminal count for no other login from its address, and are limited themselves', async () => {
  const place = await anOpenIdPlace();
  const console = await place.console();
  const { device } = await beginLogin(console);
  const before = place.provider.tokenRequests();

  const answers = [];
  for (let count = 0; count < 130; count += 1) answers.push(await askLogin(console, device));

  expect(answers.at(-1)).toEqual({ state: 'pending', slowDownS: 5 });
  expect(place.provider.tokenRequests() - before).toBe(60);
  expect((await post(console, '/login/device')).status).toBe(200);
});

test('logins that begin very often at one address have to wait, also those that never began', async () => {
  const console = await (await aGitHubPlace()).console();

  const statuses = [];
  for (let count = 0; count < 121; count += 1)
    statuses.push((await post(console, '/login/device/token', { device: 'x' })).status);

  expect([statuses[119], statuses[120]]).toEqual([409, 429]);
  const answer = await post(console, '/login/device');
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
});

describe('where it is not possible, a sentence says why', () => {
  test.each<[string, () => Promise<LoginPlace>, string]>([
    ['without the device flow of the App', () => aGitHubPlace({ hasDeviceFlow: false }), 'tick “Enable Device Flow”'],
    [
      'without the endpoint of the provider',
      () => anOpenIdPlace({ deviceFlow: 'off' }),
      'has no device_authorization_endpoint',
    ],
    [
      'without the grant of the client',
      () => anOpenIdPlace({ deviceFlow: 'not-for-the-client' }),
      'allow the device authorization grant',
    ],
  ])('a login from a terminal is refused with a sentence %s', async (_what, aPlace, sentence) => {
    const console = await (await aPlace()).console();

    const answer = await post(console, '/login/device');

    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining(sentence) }),
    ]);
  });

  test.each<[string, Parameters<typeof aConsole>[0]]>([
    ['without any login', {}],
    ['on the person’s own machine', { isLocal: true }],
  ])('no login from a terminal is offered %s', async (_what, outside) => {
    const console = await aConsole(outside);

    const answers = [await post(console, '/login/device'), await post(console, '/login/device/token', { device: 'x' })];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await answers[0]?.json()).toMatchObject({ detail: expect.stringContaining('operators make tokens') });
  });

  test('while GitHub is away', async () => {
    const place = await aGitHubPlace();
    const console = await place.console();
    place.github.faults.add({ kind: 'failure', status: 503 });

    const answer = await post(console, '/login/device');

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

test.each([{}, { device: '' }, { device: 7 }, { device: 'x', more: 1 }, { device: 'x'.repeat(16_001) }])(
  'what the description does not have is refused: %j',
  async (body) => {
    const console = await (await aGitHubPlace()).console();

    expect((await post(console, '/login/device/token', body)).status).toBe(400);
  },
);

test('somebody who is nobody on GitHub is told so', async () => {
  const place = await anOpenIdPlace();
  place.provider.person = 'ada@acme.example';
  const console = await place.console();
  const { userCode, device } = await beginLogin(console);
  await place.decide(userCode, 'agree');

  const answer = await post(console, '/login/device/token', { device });

  expect([answer.status, await answer.json()]).toEqual([
    409,
    expect.objectContaining({ detail: expect.stringContaining('ada@acme.example is not a GitHub login') }),
  ]);
});
