import { expect, test } from '@jest/globals';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { createApplies } from './applies.ts';

const STEPS = { signal: new AbortController().signal, at: () => undefined };
const APPLIED = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } } as const;

test('an apply that begins while its job is looked at is followed, also after that look', async () => {
  const kept = new Map<string, ApplyOutcome>();
  const applies = createApplies({
    keep: async (jobId, outcome) => void kept.set(jobId, outcome),
    find: (jobId) => Promise.resolve(kept.get(jobId)),
  });
  const [look, apply] = [Promise.withResolvers<ApplyOutcome>(), Promise.withResolvers<ApplyOutcome>()];
  const looked = applies.run('j1', STEPS, () => look.promise);
  const applied = applies.run('j1', STEPS, () => apply.promise);

  look.resolve({ kind: 'not-begun' });
  await looked;
  const followed = applies.outcomeOf('j1', STEPS);
  apply.resolve(APPLIED);

  expect(await followed).toEqual(APPLIED);
  expect(await applied).toEqual(APPLIED);
  expect(await applies.outcomeOf('j1', STEPS)).toEqual(APPLIED);
});
