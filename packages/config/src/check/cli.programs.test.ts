import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { jsonSchemaOf } from './json-schema.ts';

const CLI = fileURLToPath(import.meta.resolve('../../bin/nereid.js'));
const SERVER =
  'repositories: [{ match: acme/* }]\nstorage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }\n';

const folder = folderOfEachTest();

test('a good file: says so, exit code 0', () => {
  write('nereid.server.yaml', SERVER);

  expect(nereid('config', 'check')).toEqual({
    status: 0,
    stdout: 'nereid.server.yaml: no problems (read as nereid.server.yaml)\n',
    stderr: '',
  });
});

test('a file with problems: each with its line, exit code 1', () => {
  write('nereid.yaml', 'version: 1\nroots:\n  - dir: ../a\n  - dir: b\n    name: "-"\n');

  expect(nereid('config', 'check', 'nereid.yaml')).toEqual({
    status: 1,
    stdout: `nereid.yaml:3:5 roots[0].dir: expected a directory inside the repository, relative to its top, found "../a"; write it without a leading "/" or ".."
nereid.yaml:5:5 roots[1].name: expected a letter or digit, then letters, digits, ".", "_" or "-", at most 100 in all, found "-"; rename the root
nereid.yaml: 2 problems (read as nereid.yaml)
`,
    stderr: '',
  });
});

describe('a repository in several files', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'roots'));
    write('nereid.yaml', 'version: 1\ninclude: ["roots/*.yaml"]\n');
  });

  test('is checked as a whole, and says which file has which roots', () => {
    write('roots/a.yaml', 'version: 1\nroots: [{ dir: a, workflow: own }, { dir: b }]\n');
    write('roots/b.yaml', 'version: 1\n');

    expect(nereid('config', 'check', 'nereid.yaml').stdout).toBe(
      'roots/a.yaml: included, with a, b\nroots/b.yaml: included, with no roots\nnereid.yaml: no problems (read as nereid.yaml)\n',
    );
    expect(nereid('config', 'check', 'roots/a.yaml').stdout).toBe('roots/a.yaml: no problems (read as nereid.yaml)\n');
  });

  test('has problems with the file in which they are', () => {
    write('roots/a.yaml', 'version: 1\nroots: [{ dir: a }]\n');
    write('roots/b.yaml', 'version: 1\nroots: [{ dir: a }]\n');

    const { status, stdout } = nereid('config', 'check', 'nereid.yaml');

    expect(status).toBe(1);
    expect(stdout).toMatch(/^roots\/b\.yaml:2:\d+ roots\[0\].*which is roots\[0\] of roots\/a\.yaml already/);
  });

  test('has all of its problems in one list, also where a pattern matches nothing', () => {
    write('nereid.yaml', 'version: 1\ninclude: ["roots/*.yaml", "none/*.yaml"]\nroots: [{ dir: ../top }]\n');
    write('roots/a.yaml', 'version: 1\nroots: [{ dir: a, depends_on: [hidden] }, { dir: b, plan_reviw: auto }]\n');
    symlinkSync('/etc/hostname', join(folder, 'roots/b.yaml'));

    const { status, stdout } = nereid('config', 'check', 'nereid.yaml');

    expect(status).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(': ')[0])).toEqual([
      expect.stringMatching(/^roots\/b\.yaml expected a file, found something else/),
      'roots/a.yaml:2:53 roots[1].plan_reviw',
      'nereid.yaml:2:27 include[1]',
      'nereid.yaml:3:11 roots[0].dir',
      'nereid.yaml',
      '',
    ]);
  });

  test('includes no link, and nothing that is not there', () => {
    expect(nereid('config', 'check', 'nereid.yaml').stdout).toMatch(
      /^nereid\.yaml:2:\d+ include\[0\]: .*, found none; /,
    );
    symlinkSync('/etc/hostname', join(folder, 'roots/a.yaml'));

    expect(nereid('config', 'check', 'nereid.yaml').stdout).toMatch(
      /^roots\/a\.yaml expected a file, found something else/,
    );
  });
});

describe('a root whose directory is not there', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'a'));
  });

  test('is a problem in a check-out', () => {
    mkdirSync(join(folder, '.git'));
    write('nereid.yaml', 'version: 1\nroots: [{ dir: a }, { dir: b, name: other }]\n');

    expect(nereid('config', 'check', 'nereid.yaml')).toMatchObject({
      status: 1,
      stdout: `nereid.yaml:2:23 roots[1].dir: expected the directory "b" of root other in this check-out, found none; correct dir, add it, or remove the root
nereid.yaml: 1 problem (read as nereid.yaml)
`,
    });
  });

  test('is a warning where Atlantis accepts it', () => {
    mkdirSync(join(folder, '.git'));
    write('atlantis.yaml', 'version: 3\nprojects: [{ dir: b }]\n');

    expect(nereid('config', 'check', 'atlantis.yaml')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^warning: atlantis\.yaml:2:14 projects\[0\]\.dir: expected the directory "b"/),
    });
  });

  test('is nobody’s business where the file stands alone', () => {
    write('nereid.yaml', 'version: 1\nroots: [{ dir: b }]\n');

    expect(nereid('config', 'check', 'nereid.yaml').status).toBe(0);
  });
});

test('a mode of autodiscovery without its key: the mapping that it belongs into', () => {
  write('nereid.yaml', 'version: 1\nautodiscover: disabled\n');

  expect(nereid('config', 'check', 'nereid.yaml').stdout).toContain(
    'autodiscover: expected a mapping, found "disabled"; write autodiscover: { mode: disabled }\n',
  );
});

describe('a token for a script', () => {
  test('is printed once, with the entry that has no more than its hash', () => {
    const { status, stdout } = nereid(
      'token',
      'ci',
      '--login',
      'robot',
      '--scopes',
      'read,deploy',
      '--expires',
      '2027-01-31',
    );
    const [token = ''] = stdout.split('\n');
    const entry = stdout.slice(stdout.indexOf('console:'), stdout.indexOf('Both read'));

    expect(status).toBe(0);
    expect(token).toMatch(/^nereid_[\w-]{43}$/);
    expect(stdout.split(token)).toHaveLength(2);
    write('nereid.server.yaml', SERVER + entry);
    expect(nereid('config', 'check').status).toBe(0);
    const sha256 = createHash('sha256').update(token).digest('hex');
    const wanted = { name: 'ci', sha256, login: 'robot', scopes: ['read', 'deploy'], expires: '2027-01-31' };
    expect(parse(entry)).toEqual({ console: { tokens: [wanted] } });
  });

  test.each([
    [['ci'], '--login'],
    [['ci', '--login', 'robot', '--scopes', 'everything'], 'scopes are read, review'],
    [['ci', '--login', 'robot', '--expires', 'tomorrow'], '--expires'],
    [['no name', '--login', 'robot'], 'a name'],
    [['ci', '--login', 'robot', '--scopes', 'hosts', '--repositories', 'acme/*'], 'a host works for all of them'],
    [[], 'expected a name'],
  ])('is not made of %j', (args, why) => {
    expect(nereid('token', ...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(why) });
  });
});

test('warnings are no problems', () => {
  write('atlantis.yaml', 'version: 3\nautomerge: true\n');

  expect(nereid('config', 'check', 'atlantis.yaml')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^warning: atlantis.yaml:2:1 automerge: .*\natlantis.yaml: no problems/),
  });
});

test('a rule that code can escape by moving is a warning, with its line', () => {
  const rule = 'roots: { prod: { permissions: { confirm: { not_author: true } } } }';
  write('nereid.server.yaml', `${SERVER.replace('acme/* }', `acme/*, ${rule} }`)}terraform: { env_allow: [AWS_*] }\n`);

  expect(nereid('config', 'check')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^warning: nereid.server.yaml:1:\d+ repositories\[0\].roots.prod: expected credentials .*\nnereid.server.yaml: no problems/,
    ),
  });
});

test('an operator without the id of their account is a warning where all of GitHub can log in', () => {
  const operators = 'operators: [olga#1234567, oskar]';
  write('nereid.server.yaml', `${SERVER}console: { login: { github: { client_id: Iv23liExample } }, ${operators} }\n`);

  expect(nereid('config', 'check')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^warning: nereid.server.yaml:3:\d+ console.operators\[1\]: .*oskar#1234567.*\n[^\n]*no problems/,
    ),
  });
});

test('keys: makes all of them once, and says where each belongs', () => {
  const first = nereid('keys', 'secrets');
  const again = nereid('keys', 'secrets');

  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toMatch(/^gateway-key.pem: made\ngateway-key.pub.pem: made\n/);
  expect(first.stdout).toContain('gateway: GATEWAY_KEY_FILE=gateway-key.pem\n');
  expect(first.stdout).toMatch(/POOL_SEAL_KEY_FILE=pool-seal-key.pem/);
  expect(first.stdout).toContain('temporal-ca.pem: made\n');
  expect(first.stdout).toContain('identity-key.pub.pem: made\n');
  expect(first.stdout).not.toContain('PRIVATE KEY');
  expect(again.stdout).toMatch(/^gateway-key.pem: left as it was\n/);
});

test('keys: makes those of a pool alone, and prints its entry for the file of the server', () => {
  const { status, stdout } = nereid('keys', 'secrets', 'prod');

  expect(status).toBe(0);
  expect(stdout).toMatch(/^pool-prod-key.pem: made\npool-prod-key.pub.pem: made\npool-prod-seal-key.pem: made\n/);
  expect(stdout).toContain('POOL=prod, POOL_KEY_FILE=pool-prod-key.pem, POOL_SEAL_KEY_FILE=pool-prod-seal-key.pem,\n');
  expect(stdout).toContain('PLAN_KEY_FILE=pool-prod-plan-key');
  expect(stdout).not.toContain('PRIVATE KEY');
  expect(stdout).not.toContain('gateway');

  write('nereid.server.yaml', `${SERVER}${stdout.slice(stdout.indexOf('pools:'))}`);
  expect(nereid('config', 'check')).toMatchObject({ status: 0 });
  expect(nereid('keys', 'secrets', 'Prod')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^expected the name of a pool, of lower-case letters.*, found "Prod"/),
  });
});

test('keys: a folder that cannot be made is said, exit code 2', () => {
  write('taken', '');

  expect(nereid('keys', 'taken')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^expected a folder/) });
  expect(nereid('keys')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^expected a folder after "keys"/) });
  expect(nereid('identity', 'https://a.example')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^expected a URL, the/),
  });
});

test.each([
  ['nereid.yaml', 'version: 1\nroots: [{ dir: a, workflow: ours, plan_review: auto }]\n'],
  ['atlantis.yaml', 'version: 3\nprojects: [{ dir: a }]\n'],
  ['nereid.server.yaml', SERVER],
  ['nereid.yaml', 'version: 1\n'],
  ['atlantis.yaml', 'version: 3\n'],
])('a file of another name is told by its keys: %s', (format, text) => {
  write('some.yaml', text);

  expect(nereid('config', 'check', 'some.yaml')).toMatchObject({
    status: 0,
    stdout: `some.yaml: no problems (read as ${format})\n`,
  });
});

test.each([
  ['no key of theirs', 'version: 2\n', 'none of these names, and no key that only one of them has, in some.yaml'],
  [
    'keys of two of them',
    'version: 1\nroots: []\nprojects: []\n',
    'another name, and keys of nereid.yaml and of atlantis.yaml, in some.yaml',
  ],
])('a file of another name with %s: told so, exit code 2', (_title, text, found) => {
  write('some.yaml', text);

  expect(nereid('config', 'check', 'some.yaml')).toEqual({
    status: 2,
    stdout: '',
    stderr: `expected a file called nereid.server.yaml, nereid.yaml or atlantis.yaml, found ${found}; give the file, or a copy, the name that fits its content
nereid --help says more
`,
  });
});

test('a file of another name that is no YAML: its problems, exit code 1', () => {
  write('some.yaml', 'a: {\n');

  expect(nereid('config', 'check', 'some.yaml')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      /^some.yaml:2:1 expected valid YAML, found the end of the file, .*\nsome.yaml: 1 problem\n$/,
    ),
  });
});

test('a name that no repository reads is a warning', () => {
  write('nereid.yml', 'version: 1\n');

  expect(nereid('config', 'check', 'nereid.yml')).toMatchObject({
    status: 0,
    stdout:
      'warning: nereid.yml expected the name nereid.yaml, found nereid.yml, which is not read; rename the file\nnereid.yml: no problems (read as nereid.yaml)\n',
  });
});

test('a workflow is taken as known, however its name is written', () => {
  write('nereid.yaml', 'version: 1\nroots: [{ dir: a, "workflow": "our own" }]\n');

  expect(nereid('config', 'check', 'nereid.yaml')).toMatchObject({ status: 0 });
});

test.each([
  ['absent.yaml', 'nothing at "absent.yaml"'],
  ['.', 'a directory at "."'],
])('what is no file, %s: told so, exit code 2', (path, found) => {
  expect(nereid('config', 'check', path)).toEqual({
    status: 2,
    stdout: '',
    stderr: `expected a configuration file, found ${found}; name the file to check\nnereid --help says more\n`,
  });
});

test('--help says what there is', () => {
  expect(nereid('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('nereid config check [file]') });
});

test.each([[['config']], [['config', 'chek']], [['deploy']], [['config', 'schema', 'x']], [['--odd']]])(
  'wrong usage, %j: exit code 2, no stack trace',
  (args) => {
    const { status, stderr } = nereid(...args);

    expect(status).toBe(2);
    expect(stderr).toMatch(/^.+\nnereid --help says more\n$/);
  },
);

test('the schemas for editors accept what we accept and refuse what we refuse', () => {
  const ajv = new Ajv.default();
  const repository = ajv.compile(jsonSchemaOf('repository'));
  const server = ajv.compile(jsonSchemaOf('server'));

  expect(repository(parse('version: 1\nroots: [{ dir: a, plan_review: auto }]'))).toBe(true);
  expect(repository(parse('version: 1\nroots: [{ dir: a, plan_reveiw: auto }]'))).toBe(false);
  expect(server(parse(SERVER))).toBe(true);
  expect(server(parse(`${SERVER}audit: { to: nowhere }`))).toBe(false);
});

test('a schema is printed as JSON', () => {
  const { status, stdout } = nereid('config', 'schema', 'server');

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    title: 'nereid.server.yaml',
    type: 'object',
    additionalProperties: false,
  });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function nereid(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}
