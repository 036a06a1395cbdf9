import { describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../check/check-file.ts';
import { describeOwners, planPoliciesFor } from './plan-policies.ts';
import { policyFolderProblems } from './policy-folders.ts';
import { readServerConfig } from '../read-server-config.ts';
import { reloadableServerConfig } from '../reloadable-server-config.ts';

const FILE = `repositories: [{ match: acme/* }]
storage: { deployments: "file:/d", plans: "file:/p", logs: "file:/l" }
policies:
  - { name: everywhere, source: one, enforce: advisory }
  - { name: prod, source: /absolute, enforce: required, owners: { users: [ada] }, roots: [prod/**], namespaces: [main, prod], rego: v0 }
  - { name: infra, source: two, enforce: advisory, repositories: [acme/infra*], roots: [prod, name:net*] }
`;

describe('a policy judges', () => {
  const config = configOf(FILE);
  const namesFor = (repository: string, place: { name: string; dirs?: readonly string[] }) =>
    planPoliciesFor(config, repository, place).map(({ name }) => name);

  test.each([
    ['acme/app', { name: 'dev', dirs: ['dev'] }, ['everywhere']],
    ['acme/app', { name: 'dev', dirs: ['prod/db'] }, ['everywhere', 'prod']],
    ['acme/infra-2', { name: 'dev', dirs: ['prod/db/a'] }, ['everywhere', 'prod', 'infra']],
    ['acme/infra', { name: 'network', dirs: ['x'] }, ['everywhere', 'infra']],
  ])('the roots of %s in %j that its globs match: %j', (repository, place, names) => {
    expect(namesFor(repository, place)).toEqual(names);
  });

  test('a root whose directory is behind a link to one that it matches', () => {
    expect(namesFor('acme/app', { name: 'dev', dirs: ['dev', 'prod/db'] })).toContain('prod');
  });

  test('in the package main and in the newest Rego, unless the file says otherwise', () => {
    expect(config.policies).toMatchObject([{ namespaces: ['main'] }, { namespaces: ['main', 'prod'], rego: 'v0' }, {}]);
    expect(config.policies[0]).not.toHaveProperty('rego');
  });
});

test('its owners are said in words', () => {
  expect(describeOwners({ teams: ['acme/sre', 'acme/ops'], users: ['ada', 'bob'] })).toBe(
    'a member of acme/sre or acme/ops, or one of ada, bob',
  );
  expect(describeOwners({ teams: [], users: ['ada'] })).toBe('ada');
});

describe('its folder', () => {
  const folder = folderOfEachTest();

  test("is looked for beside the server's file, and has to be there", async () => {
    const path = join(folder, 'nereid.server.yaml');
    await mkdir(join(folder, 'one'));
    await writeFile(join(folder, 'two'), '');
    await writeFile(path, FILE);
    const config = reloadableServerConfig(path).current();

    expect(config.policies.map(({ source }) => source)).toEqual([
      join(folder, 'one'),
      '/absolute',
      join(folder, 'two'),
    ]);
    expect(policyFolderProblems(config)).toEqual([
      { path: 'policies[1].source', message: expect.stringContaining('found nothing at /absolute') },
      { path: 'policies[2].source', message: expect.stringContaining(`found a file at ${join(folder, 'two')}`) },
    ]);
    expect(checkFile(path, FILE)).toMatchObject({ kind: 'checked', isValid: false });
  });
});

function configOf(text: string) {
  const read = readServerConfig(text);
  if (read.kind !== 'ok') throw new Error(JSON.stringify(read.problems));
  return read.config;
}
