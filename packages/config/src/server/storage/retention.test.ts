import { expect, test } from '@jest/globals';
import { formatProblem } from '../../yaml/problem.ts';
import { readServerConfig } from '../read-server-config.ts';

const DAY_MS = 24 * 3_600_000;

function withRetention(retention: string) {
  const storage = '{ deployments: "file:/d", plans: "file:/p", logs: "file:/l" }';
  return readServerConfig(`repositories: [{ match: acme/a }]\nstorage: ${storage}\nretention: ${retention}\n`);
}

test.each([
  ['{}', { previewsMs: 30 * DAY_MS }],
  ['{ logs: 60d }', { logsMs: 60 * DAY_MS, previewsMs: 30 * DAY_MS }],
  ['{ records: 400d }', { logsMs: 400 * DAY_MS, recordsMs: 400 * DAY_MS, previewsMs: 30 * DAY_MS }],
  [
    '{ logs: 90d, records: 90d, previews: 7d }',
    { logsMs: 90 * DAY_MS, recordsMs: 90 * DAY_MS, previewsMs: 7 * DAY_MS },
  ],
])(
  '%s: logs and records are kept for ever unless named, and logs for as long as records unless named',
  (written, expected) => {
    expect(withRetention(written)).toMatchObject({ kind: 'ok', config: { retention: expected } });
  },
);

test.each([
  ['{ logs: 6d }', 'a duration from 7d to 3650d'],
  ['{ records: 30d }', 'a duration from 90d to 3650d'],
  ['{ records: 4000d }', 'a duration from 90d to 3650d'],
  ['{ previews: never }', 'a duration from 7d to 3650d'],
  ['{ previews: 30 }', 'a duration from 7d to 3650d'],
])('%s is refused, with what is possible', (written, expected) => {
  const read = withRetention(written);

  const lines = read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem)) : [];
  expect(lines).toEqual([expect.stringContaining(expected)]);
  expect(lines[0]).toContain('write it like 400d');
});

test('logs that would be kept for longer than their records are refused', () => {
  const read = withRetention('{ logs: 400d, records: 90d }');

  const lines = read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem)) : [];
  expect(lines).toEqual([
    expect.stringMatching(/retention\.logs: expected logs to be kept for no longer than records.*raise records/),
  ]);
});
