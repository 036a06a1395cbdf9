import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { nereid } from '../../testing/run.ts';

const SERVER = `repositories:
  - match: acme/infra
    plan_review: auto
    roots: { "prod/**": { plan_review: required, environment: { plan: { REGION: eu-1 } } } }
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
`;
const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

const folder = folderOfEachTest();

beforeEach(() => {
  write('nereid.server.yaml', SERVER);
});

test('a root that nereid.yaml declares: each setting with the line that it comes from', async () => {
  write('nereid.yaml', 'version: 1\nroots:\n  - { name: network, dir: prod/network, workspace: blue }\n');
  write('prod/network/main.tf', BACKEND);

  const { status, stdout, stderr } = await explain('acme/infra/network');

  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('In prod/network; declared at nereid.yaml:3:5.\n');
  expect(stdout).toMatch(/^workspace +blue\n +from nereid\.yaml:3:41: blue$/m);
  expect(stdout).toMatch(/^plan_review +required \(the strictest counts\)$/m);
  expect(stdout).toContain('from nereid.server.yaml:4:27 (prod/** of acme/infra): required\n');
  expect(stdout).toContain('not nereid.server.yaml:3:5 (acme/infra): auto; rules for roots count before it\n');
  expect(stdout).toMatch(/^environment\.plan +REGION$/m);
  expect(stdout).not.toContain('eu-1');
});

test('a root that is discovered, as JSON', async () => {
  write('prod/db/main.tf', BACKEND);

  const { status, stdout } = await explain('acme/infra/prod-db', '--json');

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ repository: 'acme/infra', root: 'prod-db', dir: 'prod/db' });
});

test('an unknown root: the nearest name', async () => {
  write('prod/db/main.tf', BACKEND);

  expect(await explain('acme/infra/prod-bd')).toEqual({
    status: 3,
    stdout: '',
    stderr:
      'expected names of roots, found "prod-bd" (did you mean prod-db?); the roots are prod-db (in the check-out .; --checkout names another one)\n',
  });
});

test.each([
  ['nereid.yaml', 'version: 1\nroot: []\n', 'nereid.yaml:2:1 '],
  ['nereid.server.yaml', `${SERVER}console: 1\n`, 'nereid.server.yaml:6:1 console: '],
])('a broken %s: its problems, each with its place', async (name, text, beginning) => {
  write(name, text);

  const { status, stderr } = await explain('acme/infra/network');

  expect(status).toBe(1);
  expect(stderr.startsWith(beginning)).toBe(true);
  expect(stderr).toMatch(new RegExp(`^${name}: 1 problem$`, 'm'));
});

test.each([
  [['acme/other/network'], 3, 'found acme/infra; add one, or correct the name'],
  [['network'], 2, 'expected a lane like acme/infra/network'],
  [[], 2, 'config explain needs a root'],
  [['acme/infra/network', '--server', 'away.yaml'], 2, "expected the server's file, found nothing at"],
  [['acme/infra/network', '--checkout', 'away'], 2, 'expected a check-out of acme/infra, found nothing at'],
])('%j is refused with a sentence', async (args, code, sentence) => {
  const { status, stderr } = await explain(...args);

  expect(status).toBe(code);
  expect(stderr).toContain(sentence);
});

test('its options belong to it alone', async () => {
  expect(await nereid(['config', 'check', '--server', 'x'], { folder })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--server is for config explain, found it with config check'),
  });
});

function explain(...args: readonly string[]) {
  return nereid(['config', 'explain', ...args], { folder });
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
