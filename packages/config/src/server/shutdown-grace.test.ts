import { expect, test } from '@jest/globals';
import { readServerConfig } from './read-server-config.ts';
import { hostGraceMs } from './shutdown-grace.ts';

const STORAGE = 'storage: { deployments: file:/d, plans: file:/p, logs: file:/l }';

test.each([
  ['an hour, where the file says nothing', '[{ match: acme/* }]', 60],
  ['an hour, although some have less', '[{ match: acme/*, timeout: { apply: 10m } }]', 60],
  ['that of a repository', '[{ match: acme/infra, timeout: { apply: 2h } }, { match: acme/* }]', 120],
  [
    'that of a rule for directories',
    '[{ match: acme/*, timeout: { apply: 2h }, roots: { prod/**: { timeout: { apply: 150m } } } }]',
    150,
  ],
  ['not that of a plan', '[{ match: acme/*, timeout: { plan: 5h } }]', 60],
  ['a day, where a repository may set it', '[{ match: acme/*, allowed_overrides: [timeout] }]', 24 * 60],
])('a host gets five minutes more than the longest apply: %s', (_, repositories, minutes) => {
  const read = readServerConfig(`repositories: ${repositories}\n${STORAGE}\n`);

  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  expect(hostGraceMs(read.config)).toBe((minutes + 5) * 60_000);
});
