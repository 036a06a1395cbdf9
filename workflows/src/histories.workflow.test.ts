import { beforeAll, describe, expect, test } from '@jest/globals';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import {
  nameOf,
  readRecordedHistories,
  replayRecorded,
  type RecordedHistory,
} from '@nereid/test-kit/recorded-histories';
import { bundleOfThisRun } from '@nereid/test-kit/test-run';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../histories');

const histories = await readRecordedHistories(FOLDER);
const unreleased = histories.filter(({ release }) => release === 'unreleased');

describe('after an upgrade, a workflow goes on as it began', () => {
  let replayed: Awaited<ReturnType<typeof replayRecorded>>;

  beforeAll(async () => {
    replayed = await replayRecorded(histories, bundleOfThisRun());
  });

  test.each(histories.map((history) => [titleOf(history), nameOf(history)] as const))(
    'the recorded workflow "%s" replays as it ran',
    (_title, name) => {
      expect(replayed.has(name)).toBe(true);
      expect(replayed.get(name)).toBeUndefined();
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
