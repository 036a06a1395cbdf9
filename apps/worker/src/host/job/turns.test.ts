import { expect, test } from '@jest/globals';
import { createTurns } from './turns.ts';

const patient = { signal: new AbortController().signal, waitMs: 60_000 };

test('work of a deployment begins when the work before it has ended, in turn', async () => {
  const turns = createTurns();
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const run = (name: string, work: () => Promise<string>) =>
    turns.run(['d1'], patient, () => {
      begun.push(name);
      return work();
    });

  const all = [
    run('first', () => first.promise),
    run('second', async () => 'second'),
    run('third', async () => 'third'),
  ];
  await turns.run(['d2'], patient, async () => begun.push('of another deployment'));
  first.resolve('first');

  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
  expect(begun).toEqual(['first', 'of another deployment', 'second', 'third']);
});

test('work in the folder of another deployment begins when the work of that one has ended, and keeps it waiting', async () => {
  const turns = createTurns();
  const [planned, applyBegan, applied] = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
  const events: string[] = [];
  const run = (deploymentIds: readonly string[], name: string, begins?: Ending, ends?: Ending) =>
    turns.run(deploymentIds, patient, async () => {
      events.push(`${name} begins`);
      begins?.resolve(undefined);
      await ends?.promise;
      events.push(`${name} ends`);
    });

  const plan = run(['preview'], 'plan', undefined, planned);
  const apply = run(['d1', 'preview'], 'apply', applyBegan, applied);
  planned?.resolve(undefined);
  await applyBegan?.promise;
  const again = run(['preview'], 'plan again');
  applied?.resolve(undefined);
  await Promise.all([plan, apply, again]);

  const inTurn = ['plan begins', 'plan ends', 'apply begins', 'apply ends', 'plan again begins', 'plan again ends'];
  expect(events).toEqual(inTurn);
});

type Ending = PromiseWithResolvers<undefined>;

test('work that failed holds up nothing', async () => {
  const turns = createTurns();

  await expect(turns.run(['d1'], patient, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

  expect(await turns.run(['d1'], patient, async () => 'done')).toBe('done');
});

test.each([
  ['takes too long', { ...patient, waitMs: 1 }],
  ['is interrupted', { ...patient, signal: AbortSignal.abort() }],
])('a wait that %s is declined, and the work under way goes on', async (_what, wait) => {
  const turns = createTurns();
  const first = Promise.withResolvers<string>();
  const working = turns.run(['d1'], patient, () => first.promise);

  const second = turns.run(['d1'], wait, async () => 'done');

  await expect(second).rejects.toMatchObject({ type: 'HOST_DECLINED', nonRetryable: false });
  first.resolve('first');
  expect(await working).toBe('first');
});
