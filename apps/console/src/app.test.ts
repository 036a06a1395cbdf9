import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aLock, anUnlock, aPlan } from '@nereid/domain/testing';
import { aConsole, aLaneRecord, JOB, LANE, REPOSITORY, RUNNING, type Outside } from './testing.ts';

const NEVER_WAS = '00000000-0d4b-4e7a-9c55-1f0e6b7a2d90';

describe('the page of a deployment', () => {
  test('is not there without its key, and cannot be told from one that never was', async () => {
    const { get, pathOf } = await aConsole({ lane: { running: RUNNING } });

    const wrongKey = await get(`${pathOf(RUNNING.id)}0`);
    const neverWas = await get(pathOf(NEVER_WAS));

    expect([wrongKey.status, neverWas.status]).toEqual([404, 404]);
    expect(await wrongKey.text()).toBe(await neverWas.text());
  });

  test('says of a link without a key why it opens nothing, and says it of every deployment', async () => {
    const { get, apiOf } = await aConsole({ lane: { running: RUNNING } });
    const keyless = (id: string) => `/deployments/${id}?lane=acme/infra/network`;

    const pages = [await get(keyless(RUNNING.id)), await get(keyless(NEVER_WAS)), await get(keyless('none'))];
    const texts = await Promise.all(pages.map((page) => page.text()));
    const problem = await get(apiOf(RUNNING.id).replace(/&key=.*/, ''));

    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('the links of public repositories hold none');
    expect(await problem.json()).toMatchObject({ status: 404, detail: expect.stringContaining('holds no key') });
  });

  test('can run nothing but our own script, and its address goes nowhere', async () => {
    const { get, pathOf } = await aConsole({ lane: { running: RUNNING } });

    const { status, headers } = await get(pathOf(RUNNING.id));

    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('of one that ended is complete without Temporal', async () => {
    const ended = aDeployment({ status: 'succeeded', plan: aPlan() });
    const { get, pathOf, records } = await aConsole({ isTemporalAway: true });
    await records.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt: new Date().toISOString() });

    const page = await (await get(pathOf(ended.id))).text();

    expect(page).toContain('data-ended="yes"');
    expect(page).not.toContain('role="alert"');
  });

  test('of an apply whose outcome is unknown says who unlocked the lane since', async () => {
    const lost = aDeployment({ status: 'apply-outcome-unknown' });
    const { get, pathOf, records, lanes } = await aConsole({ isTemporalAway: true });
    await records.write({ version: 1, repository: REPOSITORY, deployment: lost, endedAt: new Date().toISOString() });

    const before = await (await get(pathOf(lost.id))).text();
    const lock = { ...aLock('outcome-unknown'), deploymentId: lost.id };
    const lifted = { ...lock, unlock: anUnlock(), liftedAt: '2026-01-31T15:10:00.000Z' };
    await lanes.write(aLaneRecord({ lifted: [lifted] }), null);
    const after = await (await get(pathOf(lost.id))).text();

    expect(before).toContain('Look at the log and at the resources');
    expect(after).toContain('carol unlocked the lane');
  });

  test('says so when Temporal is away, and shows how things stood', async () => {
    const { get, pathOf } = await aConsole({ lane: { running: RUNNING }, isTemporalAway: true });

    const page = await (await get(pathOf(RUNNING.id))).text();

    expect(page).toContain('Temporal cannot be reached at the moment');
    expect(page).toContain('Planning');
  });

  test('of one that its lane has forgotten since comes from its own record', async () => {
    const ended = aDeployment({ status: 'succeeded', plan: aPlan() });
    const { get, pathOf, records, becomes } = await aConsole({ lane: { running: RUNNING } });
    await records.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt: new Date().toISOString() });
    await becomes({});

    expect(await (await get(pathOf(ended.id))).text()).toContain('data-ended="yes"');
  });

  test('that nobody can tell about is not available, rather than not there', async () => {
    const { get } = await aConsole({ isTemporalAway: true, isLocal: true });

    expect((await get(`/deployments/${RUNNING.id}`)).status).toBe(503);
    const problem = await get(`/api/v1/deployments/${RUNNING.id}`);
    expect(problem.headers.get('content-type')).toContain('application/problem+json');
  });

  test('is found without its lane, by what its workflow says of itself', async () => {
    const found = { kind: 'found', value: LANE } as const;
    const { get } = await aConsole({ lane: { running: RUNNING }, findLane: found, isLocal: true });

    expect((await get(`/deployments/${RUNNING.id}`)).status).toBe(200);
  });

  test('is opened by its link in no other lane, nor in none', async () => {
    const found = { kind: 'found', value: LANE } as const;
    const { get, pathOf } = await aConsole({ lane: { running: RUNNING }, findLane: found });

    for (const lane of ['lane=acme/infra/other', 'lane=acme/secrets/network', ''])
      expect((await get(pathOf(RUNNING.id).replace(/lane=[^&]+/, lane))).status).toBe(404);
  });

  test.each(['..%2f..%2fetc', 'delivery%2f1', 'acme%2Finfra%7C%7Cnetwork'])('is never that of %s', async (id) => {
    const { get, pathOf } = await aConsole({ lane: { running: RUNNING } });

    expect((await get(pathOf(RUNNING.id).replace(RUNNING.id, id))).status).toBe(404);
  });
});

describe('the server’s policy is shown to nobody: no step, no permission', () => {
  const running = withPolicy(RUNNING);

  test.each<[string, Outside]>([
    ['runs', { lane: { running } }],
    ['waits', { lane: { running: aRunningOne(), merged: [running] } }],
  ])('a page shows no step and no permission of a deployment that %s', async (_name, answers) => {
    const { get, pathOf, apiOf, logPathOf, writeLog } = await aConsole(answers);
    await writeLog('Terraform will perform the following actions\n');
    const paths = [apiOf(running.id), pathOf(running.id), pathOf(running.id).replace('?', '/fragment?')];

    const responses = await Promise.all(
      [...paths, logPathOf('plan'), logPathOf('plan', '/events')].map((path) => get(path)),
    );

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await textOf(responses)).not.toMatch(POLICY);
  });

  test('of one that ended', async () => {
    const ended = withPolicy(aDeployment({ status: 'succeeded', plan: aPlan() }));
    const { get, pathOf, apiOf, records } = await aConsole();
    await records.write({ version: 1, repository: REPOSITORY, deployment: ended, endedAt: new Date().toISOString() });

    const responses = await Promise.all([get(apiOf(ended.id)), get(pathOf(ended.id))]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await textOf(responses)).not.toMatch(POLICY);
  });

  test('but what is deployed, and where', async () => {
    const { get, apiOf } = await aConsole({ lane: { running } });

    expect(await (await get(apiOf(running.id))).json()).toHaveProperty('deployment.root', {
      name: 'network',
      dir: 'infra/network',
      workspace: 'default',
      distribution: 'terraform',
      planReview: 'required',
      onFailure: 'continue',
      varFiles: [],
    });
  });
});

describe('a job’s log', () => {
  test('is plain text without commands to a terminal', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    await writeLog('\u001b[31mError\u001b[0m </script>\u001b]0;title\u0007\n');

    const response = await get(logPathOf('plan'));

    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('Error </script>\n');
  });

  test('follows with its colours, and says where to go on from', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    await writeLog('\u001b[31mError\u001b[0m\n');

    const events = await (await get(logPathOf('plan', '/events'))).text();

    expect(events).toBe(
      'event: start\ndata: {"skippedBytes":0}\n\n' +
        'id: 15\nevent: output\ndata: {"segments":[["Error","fg-1"],["\\n",""]]}\n\n' +
        'event: ended\ndata: {"lostBytes":0}\n\n',
    );
  });

  test('goes on where the browser was', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    await writeLog('one\ntwo\n');

    const events = await (await get(logPathOf('plan', '/events'), { 'last-event-id': '4' })).text();

    expect(events).toContain('data: {"segments":[["two\\n",""]]}');
    expect(events).not.toContain('one');
  });

  test('that is long opens at its end, with a whole line', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`);
    await writeLog(lines.join(''));

    const events = await (await get(logPathOf('plan', '/events'))).text();

    expect(events.length).toBeLessThan(2 * 256 * 1024);
    expect(events).toMatch(
      /^event: start\ndata: {"skippedBytes":\d{6}}\n\nid: \d+\nevent: output\ndata: {"segments":\[\["line /,
    );
    expect(events).toContain('line 39999');
    expect(await (await get(logPathOf('plan'))).text()).toBe(lines.join(''));
  });

  test('goes on near its end for a page that is far behind, with a whole line, and says what is left out', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    await writeLog(Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join(''));

    const path = `${logPathOf('plan', '/events')}&tail=yes`;
    const events = await (await get(path, { 'last-event-id': '4' })).text();

    expect(events).toMatch(
      /^id: \d+\nevent: skipped\ndata: {"bytes":\d{7}}\n\nid: \d+\nevent: output\ndata: {"segments":\[\["line \d/,
    );
    expect(events.length).toBeLessThan(2 * 256 * 1024);
    expect(events).toContain('line 199999');
  });

  test('goes on where a client was that wants all of it, however far behind it is', async () => {
    const { get, logPathOf, writeLog } = await aConsole({ lane: { running: RUNNING } });
    await writeLog(Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join(''));

    const events = await (await get(logPathOf('plan', '/events'), { 'last-event-id': '7' })).text();
    const text = await (await get(`${logPathOf('plan')}&offset=7`)).text();

    expect(events).not.toContain('event: skipped');
    for (const found of [events, text]) {
      expect(found).toMatch(/^(?:id: \d+\nevent: output\ndata: \{"segments":\[\[")?line 1\b/);
      expect(found).toContain('line 199999');
    }
  });

  test('that was never begun is not there', async () => {
    const { get, logPathOf } = await aConsole({ lane: { running: RUNNING } });

    expect((await get(logPathOf('apply'))).status).toBe(404);
    expect((await get(logPathOf(JOB.id))).status).toBe(404);
  });

  test('needs the key as the page does', async () => {
    const { get, logPathOf } = await aConsole({ lane: { running: RUNNING } });

    expect((await get(logPathOf('plan').split('?')[0] ?? '')).status).toBe(404);
  });

  test('is followed by so many readers at a time, and by the next one when one has left', async () => {
    const { get, logPathOf, logs } = await aConsole({ lane: { running: RUNNING }, streamsLimit: 3 });
    const writer = logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
    await writer.write(Buffer.from('still open\n'));
    const follow = () => get(logPathOf('plan', '/events'));
    const readers = await Promise.all(Array.from({ length: 3 }, follow));

    const refused = await follow();
    await readers[0]?.body?.cancel();
    let next = await follow();
    while (next.status === 503) next = await follow();

    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([refused.status, refused.headers.get('retry-after'), next.status]).toEqual([503, '10', 200]);
    for (const { body } of [...readers.slice(1), next]) await body?.cancel();
    await writer.end();
  });

  test('that grows ends when the console stops, so that stopping is quick', async () => {
    const { get, logPathOf, close, logs } = await aConsole({ lane: { running: RUNNING } });
    const writer = logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
    await writer.write(Buffer.from('still open\n'));

    const events = (await get(logPathOf('plan', '/events'))).body ?? neverHappens();
    const text = events.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();

    const first = await text.next();
    await close();
    const rest = await drained(text);
    await writer.end();

    expect(first.value).toContain('event: start');
    expect(rest).not.toContain('event: ended');
  });
});

describe('health', () => {
  test('is alive and ready, also without Temporal', async () => {
    const { get } = await aConsole({ isTemporalAway: true });

    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });
});

/** What no response may hold, neither the words of `withPolicy` nor the names of their fields. */
const POLICY = /hunter2|vault read|TF_VAR_password|-lock=false|security-guild|mallory|"steps"|"permissions"/;

function withPolicy(deployment: Deployment): Deployment {
  const steps: Deployment['root']['steps'] = {
    plan: [
      { kind: 'env', name: 'TF_VAR_password', value: 'hunter2' },
      { kind: 'env', name: 'TF_VAR_token', run: 'vault read token' },
      { kind: 'plan', extraArgs: ['-lock=false'] },
    ],
    apply: [{ kind: 'run', run: 'vault read hunter2' }],
  };
  const permissions = { confirm: [{ teams: ['acme/security-guild'], users: ['mallory'] }] };
  return { ...deployment, root: { ...deployment.root, steps, permissions } };
}

async function textOf(responses: readonly Response[]): Promise<string> {
  return (await Promise.all(responses.map((response) => response.text()))).join('\n');
}

function aRunningOne(): Deployment {
  return { ...RUNNING, id: '99999999-0d4b-4e7a-9c55-1f0e6b7a2d90' };
}

/** Returns when the stream ended. */
async function drained(text: AsyncIterator<string>): Promise<string> {
  const next = await text.next();
  return next.done === true ? '' : next.value + (await drained(text));
}

function neverHappens(): never {
  throw new Error('expected an answer with a body');
}
