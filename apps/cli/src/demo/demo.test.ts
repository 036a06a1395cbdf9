import { expect, test } from '@jest/globals';
import { nereidInside } from '../testing/run.ts';

test.each([
  [['--once', '--reset'], 'expected one of --once, --history, --reset, found --once and --reset'],
  [['--storage', 'tape'], 'expected folder or s3 as --storage, found tape'],
  [['now'], 'demo takes no arguments, found also: now'],
])('nereid demo %j is refused before anything starts', async (args, sentence) => {
  const { status, stdout, stderr } = await nereidInside(['demo', ...args]);

  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
});
