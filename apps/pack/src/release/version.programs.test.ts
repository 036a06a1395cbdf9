/** The version of everything, in a small repository with two workspaces and a chart. */
import { beforeEach, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { problemsOfRelease } from './check-release.ts';
import { raiseVersion } from './version.ts';

const TOP = path.join(import.meta.dirname, '../../../..');

const folder = folderOfEachTest();

beforeEach(async () => {
  const config = await readFile(path.join(TOP, '.changeset/config.json'), 'utf8');
  await write('.changeset/config.json', config);
  await write('.config/prepared.sh', 'pinned_node=24.21.0\n');
  await write('package.json', manifest('nereid', { workspaces: ['apps/*', 'packages/*'] }));
  await write('apps/cli/package.json', manifest('@nereid/cli', { dependencies: { '@nereid/domain': '*' } }));
  await write('packages/domain/package.json', manifest('@nereid/domain', {}));
  await write('apps/chart/Chart.yaml', 'name: nereid\n# Of the chart.\nversion: 0.1.0\nappVersion: 0.1.0\n');
  // By it, changesets knows whose workspaces these are.
  await write('package-lock.json', JSON.stringify({ name: 'nereid', lockfileVersion: 3, packages: {} }));
  await write('.gitignore', 'node_modules\n');
  await symlink(path.join(TOP, 'node_modules'), path.join(folder, 'node_modules'));
  await git('init', '--quiet', '--initial-branch', 'main', '.');
  await commit();
});

test('changes of a version without a tag go into its section, and the version stays', async () => {
  await write('.changeset/one.md', aChange('minor', 'Adds a.'));

  expect(await raiseVersion(folder)).toEqual({ version: '0.1.0', changes: 1 });
  await write('.changeset/two.md', aChange('patch', 'Mends a.'));
  expect(await raiseVersion(folder)).toEqual({ version: '0.1.0', changes: 1 });

  expect(await read('CHANGELOG.md')).toContain(
    '## 0.1.0\n\n### Adds and changes\n\n- Adds a.\n\n### Mends\n\n- Mends a.\n',
  );
  expect(await readdir(path.join(folder, '.changeset'))).toEqual(['config.json']);
});

test('after its tag, the version of everything is raised as much as the greatest change asks for', async () => {
  await git('tag', 'v0.1.0');
  await write('.changeset/one.md', aChange('minor', 'Adds a.'));
  await write('.changeset/two.md', aChange('patch', 'Mends b.'));
  await commit();

  expect(await raiseVersion(folder)).toEqual({ version: '0.2.0', changes: 2 });

  expect(await read('apps/chart/Chart.yaml')).toBe(
    'name: nereid\n# Of the chart.\nversion: 0.2.0\nappVersion: 0.2.0\n',
  );
  expect(await problemsOfRelease(folder, 'v0.2.0')).toEqual([]);
  expect(JSON.parse(await read('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { 'packages/domain': { version: '0.2.0' } },
  });
});

test('without a change there is nothing to release', async () => {
  await expect(raiseVersion(folder)).rejects.toThrow('expected a change in .changeset, found none');
});

test('a change that names no package is refused with its file', async () => {
  await write('.changeset/one.md', '---\n---\n\nAdds a.\n');

  await expect(raiseVersion(folder)).rejects.toThrow('.changeset/one.md: expected a package');
});

test('a commit is no release while its parts disagree, or changes wait', async () => {
  await write('CHANGELOG.md', '# Changelog\n');
  await write('package-lock.json', JSON.stringify({ packages: { 'apps/cli': { name: '@nereid/cli' } } }));
  await write('apps/cli/package.json', manifest('@nereid/cli', { version: '0.0.9' }));
  await write('apps/chart/Chart.yaml', 'version: 0.1.0\nappVersion: 0.0.9\n');
  await write('.changeset/one.md', aChange('minor', 'Adds a.'));

  expect(await problemsOfRelease(folder, 'v0.2.0')).toEqual([
    'the tag: expected v0.1.0, found v0.2.0',
    'apps/chart/Chart.yaml: expected 0.1.0 as appVersion, found 0.0.9',
    'apps/cli/package.json: expected 0.1.0, found 0.0.9',
    'CHANGELOG.md: expected a section 0.1.0, found none; run make version',
    '.changeset/one.md: expected to be in CHANGELOG.md; run make version',
  ]);
});

test('this commit may be tagged, but for changes that wait', async () => {
  const problems = await problemsOfRelease(TOP);

  expect(problems.filter((problem) => !problem.startsWith('.changeset/'))).toEqual([]);
});

function manifest(name: string, more: object): string {
  return `${JSON.stringify({ name, version: '0.1.0', private: true, ...more }, undefined, 2)}\n`;
}

function aChange(bump: string, summary: string): string {
  return `---\n'@nereid/cli': ${bump}\n---\n\n${summary}\n`;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

function read(file: string): Promise<string> {
  return readFile(path.join(folder, file), 'utf8');
}

async function commit(): Promise<void> {
  await git('add', '.');
  await git('-c', 'user.name=bob', '-c', 'user.email=bob@example.org', 'commit', '--quiet', '--message', 'a commit');
}

async function git(...args: readonly string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: folder });
}
