import { expect, test } from '@jest/globals';
import { readServerConfig } from '../server/read-server-config.ts';
import { listWindows } from './list-windows.ts';

const FILE = `repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
windows:
  - { name: Office hours, kind: allow, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", dtstart: 2026-01-05T08:00, duration: 9h, timezone: Europe/Berlin, roots: [prod/**] }
  - { name: Year end, kind: deny, dtstart: 2026-12-19T18:00, duration: 16d, timezone: Europe/Berlin, roots: [prod/**] }
  - { name: Migration, kind: deny, dtstart: 2026-12-18T00:00, duration: 1d, timezone: UTC, roots: [prod/db], doors: [plan] }
`;

const NOW = Date.parse('2026-12-18T12:00:00Z');

function linesFor(...dirs: readonly string[]): readonly string[] {
  const read = readServerConfig(FILE);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  return listWindows(read.config, 'acme/infra', { name: 'database', dirs }, NOW);
}

test('the next openings and closings of a root are listed, door by door', () => {
  const lines = linesFor('prod/db');

  expect(lines.slice(0, 5)).toEqual([
    'plans: closed now (change freeze “Migration”)',
    '  opens   Sat 00:00 UTC  Migration',
    'applies: open now',
    '  closes  Fri 17:00 Europe/Berlin  Office hours',
    '  opens   Tue 5 Jan 2027 08:00 Europe/Berlin  Office hours',
  ]);
  expect(lines).toHaveLength(13);
});

test('a root that no window is about is always open', () => {
  expect(linesFor('dev')).toEqual(['No window covers database in acme/infra: it is always open.']);
});

test('a root behind a symbolic link is open while both of its directories are', () => {
  expect(linesFor('dev', 'prod/db')[0]).toBe('plans: closed now (change freeze “Migration”)');
});
