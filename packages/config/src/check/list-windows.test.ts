import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listWindows } from './list-windows.ts';

const FILE = `repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
windows:
  - { name: Office hours, kind: allow, rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", dtstart: 2026-01-05T08:00, duration: 9h, timezone: Europe/Berlin, roots: [prod/**] }
  - { name: Year end, kind: deny, dtstart: 2026-12-19T18:00, duration: 16d, timezone: Europe/Berlin, roots: [prod/**] }
  - { name: Migration, kind: deny, dtstart: 2026-12-18T00:00, duration: 1d, timezone: UTC, roots: [prod/db], doors: [plan] }
`;

const NOW = Date.parse('2026-12-18T12:00:00Z');

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nereid-windows-'));
  file = path.join(folder, 'nereid.server.yaml');
  writeFileSync(file, FILE);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the next openings and closings of a root are listed, door by door', () => {
  const { lines } = listWindows(file, 'acme/infra', 'prod/db', NOW) as { readonly lines: readonly string[] };

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
  expect(listWindows(file, 'acme/infra', 'dev', NOW)).toEqual({
    kind: 'listed',
    lines: ['No window covers dev in acme/infra: it is always open.'],
  });
});

test('a file that cannot be read, or has a problem, is said with its place', () => {
  expect(listWindows(path.join(folder, 'none'), 'acme/infra', 'dev', NOW)).toMatchObject({
    kind: 'wrong',
    why: expect.stringContaining("expected the server's file, found"),
  });
  const broken = path.join(folder, 'broken.yaml');
  writeFileSync(broken, FILE.replace('allow', 'alow'));
  expect(listWindows(broken, 'acme/infra', 'dev', NOW)).toMatchObject({
    kind: 'wrong',
    why: expect.stringMatching(/broken\.yaml:4:\d+ windows\[0\]\.kind: expected one of "allow", "deny"/),
  });
});
