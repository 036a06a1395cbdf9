/** The doctor of a console that runs. */
import { describe, expect, test } from '@jest/globals';
import { Diagnosis } from '@nereid/api';
import { fail, ok, type Check } from '@nereid/doctor';
import { createWorkerDiagnoses } from '@nereid/storage';
import { aConsole, TOKEN } from '../testing.ts';

const hostile = '<script>alert(1)</script>';
const CHECKS: readonly Check[] = [
  { name: 'temporal', run: () => Promise.resolve(ok('127.0.0.1:7233 has the namespace default')) },
  { name: 'storage: logs', run: () => Promise.resolve(fail(`expected a bucket, found ${hostile}; create it`)) },
];

test('it says on its page and in the API what was found, and what to do', async () => {
  const { get } = await aConsole({ isLocal: true, checks: CHECKS });

  const diagnosis = Diagnosis.parse(await (await get('/api/v1/doctor')).json());
  const page = await (await get('/doctor')).text();

  expect(diagnosis).toMatchObject({
    process: 'console',
    isHealthy: false,
    examined: [
      { name: 'temporal', outcome: 'ok' },
      { name: 'storage: logs', outcome: 'fail', found: `expected a bucket, found ${hostile}`, remedy: 'create it' },
    ],
  });
  expect(page).toContain('<h2>storage: logs</h2>');
  expect(page).toContain('<strong>What to do:</strong> create it');
  expect(page).not.toContain(hostile);
});

describe('workers', () => {
  const at = () => new Date().toISOString();
  const aWorker = { version: 1, roles: ['terraform'], tookMs: 1_200 } as const;
  const well = { name: 'git', outcome: 'ok', found: 'git 2.39' } as const;
  const bad = { name: 'sandbox', outcome: 'fail', found: `no namespaces ${hostile}`, remedy: 'allow them' } as const;

  test('that run are there with what their own doctors found, the worst first', async () => {
    const { get, store } = await aConsole({ isLocal: true, checks: CHECKS });
    const diagnoses = createWorkerDiagnoses(store);
    await diagnoses.write({ ...aWorker, hostId: 'h1', at: at(), examined: [well] });
    await diagnoses.write({ ...aWorker, hostId: 'h2', at: at(), examined: [well, bad] });
    await diagnoses.write({ ...aWorker, hostId: 'killed', at: '2026-01-01T00:00:00.000Z', examined: [bad] });
    await store.put('diagnoses/cut-off.json', Buffer.from('{'));
    const another = { ...aWorker, hostId: 'h2', at: at(), examined: [bad] };
    await store.put('diagnoses/h3.json', Buffer.from(JSON.stringify(another)));

    const { workers = [] } = Diagnosis.parse(await (await get('/api/v1/doctor')).json());
    const page = await (await get('/doctor')).text();

    expect(workers.map(({ id, isHealthy }) => [id, isHealthy])).toEqual([
      ['h2', false],
      ['h1', true],
    ]);
    expect(page).toContain('<h2>Worker h2</h2>');
    expect(page).toContain('<strong>What to do:</strong> allow them');
    expect(page).not.toContain(hostile);
  });

  test('that say more than anybody reads are left out', async () => {
    const { get, store } = await aConsole({ isLocal: true, checks: CHECKS });
    const long = { ...aWorker, hostId: 'h1', at: at(), examined: [{ ...well, found: 'x'.repeat(5_000) }] };
    await store.put('diagnoses/h1.json', Buffer.from(JSON.stringify(long)));

    expect(Diagnosis.parse(await (await get('/api/v1/doctor')).json()).workers).toEqual([]);
  });
});

test('however many ask, the checks run once at a time, and serve for some seconds', async () => {
  let runs = 0;
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const counted: Check = {
    name: 'counted',
    async run() {
      runs += 1;
      await end;
      return ok('counted');
    },
  };
  const { get } = await aConsole({ isLocal: true, checks: [counted] });

  const asked = Array.from({ length: 20 }, () => get('/api/v1/doctor'));
  resolve(undefined);
  const answers = await Promise.all(asked);
  await get('/doctor');

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(runs).toBe(1);
});

test('who has no rights on hosts finds no such page, and nobody runs a check for them', async () => {
  let runs = 0;
  const counted: Check = { name: 'counted', run: () => Promise.resolve(ok(String((runs += 1)))) };
  const { get } = await aConsole({ checks: [counted] });

  const statuses = [];
  for (const path of ['/doctor', '/api/v1/doctor'])
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}` }]) statuses.push((await get(path, headers)).status);

  for (const status of statuses) expect([401, 403, 404]).toContain(status);
  expect(runs).toBe(0);
});
