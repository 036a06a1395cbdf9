import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { nereid } from '../../testing/run.ts';

const SERVER = `repositories: [{ match: acme/infra }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
windows:
  - { name: Century, kind: deny, dtstart: 2000-01-01T00:00, duration: 365d, rrule: FREQ=YEARLY, timezone: UTC, roots: [prod/**] }
`;

const folder = folderOfEachTest();

beforeEach(() => {
  writeFileSync(join(folder, 'server.yaml'), SERVER);
  for (const dir of ['prod/network', 'dev/network']) {
    mkdirSync(join(folder, dir), { recursive: true });
    writeFileSync(join(folder, dir, 'main.tf'), 'terraform {\n  backend "s3" {}\n}\n');
  }
});

test('the windows of a root are found by its lane, like its settings', async () => {
  const { status, stdout, stderr } = await windows('acme/infra/prod-network', '--server', 'server.yaml');

  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^applies: (open|closed) now.*\n {2}(opens |closes) {2}.* {2}Century\n/);
});

test('a root that no window is about is always open', async () => {
  const { stdout } = await windows('acme/infra/dev-network', '--server', 'server.yaml');

  expect(stdout).toBe('No window covers dev-network in acme/infra: it is always open.\n');
});

test('a file that is not there is named, with the option that names another one', async () => {
  expect(await windows('acme/infra/prod-network')).toMatchObject({
    stderr: expect.stringMatching(
      /expected the server's file, found nothing at .*nereid\.server\.yaml; name it with --server/,
    ),
  });
});

test('its help lists its options', async () => {
  expect((await windows('--help')).stdout).toMatch(/Usage: nereid windows .*OWNER\/NAME\/ROOT[^]*--server FILE/);
});

const windows = (...args: readonly string[]) => nereid(['windows', ...args], { folder });
