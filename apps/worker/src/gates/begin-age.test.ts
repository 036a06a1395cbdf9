import { describe, expect, test } from '@jest/globals';
import { begin } from './begin.ts';
import { aBeginning } from './testing/a-beginning.ts';
import { beginContext } from './testing/begin-context.ts';

const HOUR_MS = 3_600_000;
const LIMITED = '[{ match: "*/*", plan_review: auto, max_plan_age: 24h, roots: { "**": { max_plan_age: 2h } } }]';

const hoursAgo = (hours: number) => ({ plannedAt: new Date(Date.now() - hours * HOUR_MS).toISOString() });

describe("permission to apply, where the server's file limits the age of plans", () => {
  const asks = async (...made: Parameters<typeof aBeginning>) =>
    begin(beginContext({ repositories: LIMITED }), await aBeginning(...made));

  test('is given for a plan that is young enough, and for one without changes', async () => {
    await expect(asks(hoursAgo(1))).resolves.toHaveProperty('signature');
    await expect(asks({ ...hoursAgo(100), hasChanges: false })).resolves.toHaveProperty('signature');
  });

  test.each([
    ['older than the shortest limit', hoursAgo(3)],
    ['that says no time', {}],
  ])('is refused for a plan %s', async (_what, made) => {
    await expect(asks(made)).rejects.toMatchObject({ code: 'PLAN_TOO_OLD', message: 'the plan is older than 2h' });
  });

  test('does not believe a time that its host has not signed', async () => {
    await expect(asks(hoursAgo(3), hoursAgo(1))).rejects.toMatchObject({ code: 'FORGED', kind: 'result/plan' });
  });
});
