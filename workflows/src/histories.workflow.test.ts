import { describe, expect, test } from '@jest/globals';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { readRecordedHistories, replayRecorded, type RecordedHistory } from '@nereid/test-kit/recorded-histories';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../histories');

const histories = await readRecordedHistories(FOLDER);
const unreleased = histories.filter(({ release }) => release === 'unreleased');

describe('after an upgrade, a workflow goes on as it began', () => {
  test.each(histories.map((history) => [titleOf(history), history] as const))(
    'the recorded workflow "%s" replays as it ran',
    async (_title, history) => {
      await expect(replayRecorded(history)).resolves.toBeUndefined();
    },
  );
});

describe('recorded are', () => {
  test.each(Object.values(WORKFLOW))('states of the workflow %s', (workflow) => {
    expect(unreleased.map((history) => history.workflow)).toContain(workflow);
  });

  test('at least twelve states in all', () => {
    expect(unreleased.length).toBeGreaterThanOrEqual(12);
  });
});

/** `deploy, locked with a merge waiting (unreleased)`. */
function titleOf({ release, workflow, name }: RecordedHistory): string {
  const state = name.slice(workflow.length + 1).replaceAll('-', ' ');
  return `${workflow}, ${state} (${release})`;
}
