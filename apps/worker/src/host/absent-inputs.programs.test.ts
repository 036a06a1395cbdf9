import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { RepositoryEntry } from '@nereid/config';
import { DiscoveryBudgetError } from '@nereid/discovery';
import { RevisionTooLargeError } from '@nereid/git';
import type { TestFiles } from '@nereid/git/testing';
import { UNTRACKED_LIMIT_BYTES } from '@nereid/storage';
import { withOrder } from '../testing/test-signatures.ts';
import { hostsOfEachTest, type TestHosts } from './testing/test-hosts.ts';
import { applyOf } from './testing/test-jobs.ts';

const hosts = hostsOfEachTest();

const CONTENT = 'the content of a function';
const ID = createHash('sha256').update(CONTENT).digest('hex');
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${ID}\nsize ${CONTENT.length}\n`;
const BACKEND = 'terraform {\n  backend "local" {}\n}\n';
const READING = `${BACKEND}output "size" {\n  value = length(file("\${path.module}/app/fn.zip"))\n}\n`;
const REPOSITORIES: readonly RepositoryEntry[] = [{ match: 'acme/*', settings: {}, roots: [] }];

describe('before the plan of a root', () => {
  test('that reads a file in Git LFS it is refused with its name, and nobody tries again', async () => {
    const job = await hosts.deploy({ 'main.tf': READING, 'app/fn.zip': POINTER });

    const refused = hosts.openHost({ repositories: REPOSITORIES }).plan(job);

    await expect(refused).rejects.toMatchObject({ type: 'CONTENT_ABSENT', details: [{ isFinal: true }] });
    await expect(refused).rejects.toThrow('found the file in Git LFS "app/fn.zip"; ');
  });

  test('that uses a module in a submodule it is refused with its name', async () => {
    const main = `${BACKEND}module "vpc" {\n  source = "./lib/vpc"\n}\n`;
    const job = await hosts.deploy({ 'main.tf': main, lib: { submodule: 'a'.repeat(40) } });

    const refused = hosts.openHost({ repositories: REPOSITORIES }).plan(job);

    await expect(refused).rejects.toThrow('found the submodule "lib"; submodules are not fetched');
  });

  test('that reads a file that people decrypt by git-crypt it is refused with its name', async () => {
    const files = {
      'main.tf': READING,
      'app/fn.zip': '\0GITCRYPT\0secret',
      '.gitattributes': 'app/** filter=git-crypt diff=git-crypt\n',
    };
    const plan = async (steps: Parameters<TestHosts['deploy']>[1]) =>
      hosts.openHost({ repositories: REPOSITORIES }).plan(await hosts.deploy(files, steps));

    await expect(plan({})).rejects.toThrow('found the encrypted file "app/fn.zip"; hosts have no key for it: ');
    expect(await plan({ plan: [{ kind: 'run', run: 'printf x > app/fn.zip' }] })).toMatchObject({ kind: 'planned' });
  });

  test('that a step prepares by a command it is refused for any such file: it may read it', async () => {
    const files = { 'main.tf': BACKEND, 'app/fn.zip': POINTER };
    const job = await hosts.deploy(files, { plan: [{ kind: 'run', run: 'true' }] });

    await expect(hosts.openHost({ repositories: REPOSITORIES }).plan(job)).rejects.toThrow('"app/fn.zip"');
  });

  test('that may read any file it is refused for those near it, and not for those elsewhere', async () => {
    const elsewhere = {
      'live/app/main.tf': BACKEND,
      'docs/theme': { submodule: 'a'.repeat(40) },
      'docs/a.mp4': POINTER,
    };
    const near = { ...elsewhere, 'live/lib': { submodule: 'a'.repeat(40) } };
    const plan = async (files: TestFiles) => {
      const job = await hosts.deploy(files, { plan: [{ kind: 'run', run: 'true' }] });
      const ordered = await withOrder({ ...job, root: { ...job.root, dir: 'live/app' } });
      return hosts.openHost({ repositories: REPOSITORIES }).plan(ordered);
    };

    expect(await plan(elsewhere)).toMatchObject({ kind: 'planned' });
    await expect(plan(near)).rejects.toThrow('found the submodule "live/lib"; ');
  });

  test.each([
    ['computing', new DiscoveryBudgetError('20 s of computing')],
    ['reading', new RevisionTooLargeError('at most 1 GiB', 'more', 'remove some')],
  ])('whose inputs take too much %s it is refused for any such file', async (_what, error) => {
    const job = await hosts.deploy({ 'main.tf': BACKEND, 'docs/film.mp4': POINTER });
    const findInputs = () => Promise.reject(error);

    const refused = hosts.openHost({ repositories: REPOSITORIES, findInputs }).plan(job);

    await expect(refused).rejects.toMatchObject({ type: 'CONTENT_ABSENT', details: [{ isFinal: true }] });
    await expect(refused).rejects.toThrow('"docs/film.mp4"');
  });

  test('of a repository that the server’s file does not name it is refused for any such file', async () => {
    const job = await hosts.deploy({ 'main.tf': BACKEND, 'app/fn.zip': POINTER });

    await expect(hosts.openHost().plan(job)).rejects.toThrow('"app/fn.zip"');
  });
});

test('files that a root does not read keep it from nothing', async () => {
  const job = await hosts.deploy({
    'app/main.tf': BACKEND,
    'docs/film.mp4': POINTER,
    vendor: { submodule: 'a'.repeat(40) },
  });

  const plan = await hosts
    .openHost({ repositories: REPOSITORIES })
    .plan(await withOrder({ ...job, root: { ...job.root, dir: 'app' } }));

  expect(plan.kind).toBe('planned');
});

describe('where the server’s file allows Git LFS', () => {
  const allowing = REPOSITORIES.map((entry) => ({ ...entry, lfs: true }));

  test('a root has the file, and not its pointer, in the plan and in the apply on another host', async () => {
    const job = await hosts.deploy({ 'main.tf': READING, 'app/fn.zip': hosts.lfs.store(CONTENT) });

    const plan = await hosts.openHost({ repositories: allowing }).plan(job);
    await hosts.goTo('m2');
    const applied = await hosts.openHost({ hostId: 'h2', repositories: allowing }).apply(applyOf(job, plan));

    expect(applied.kind).toBe('applied');
    expect(JSON.parse((await hosts.state()) ?? '')).toMatchObject({ outputs: { size: { value: CONTENT.length } } });
    expect(await readFile(join(hosts.treeOf(job), 'app', 'fn.zip'), 'utf8')).toBe(CONTENT);
  });

  test('a file larger than what is kept of a plan keeps no plan from moving: each host fetches it', async () => {
    const large = 'x'.repeat(UNTRACKED_LIMIT_BYTES + 1);
    const reading = `${BACKEND}output "digest" {\n  value = filesha256("\${path.module}/app/fn.zip")\n}\n`;
    const job = await hosts.deploy({ 'main.tf': reading, 'app/fn.zip': hosts.lfs.store(large) });

    const plan = await hosts.openHost({ repositories: allowing }).plan(job);
    await hosts.goTo('m2');
    const applied = await hosts.openHost({ hostId: 'h2', repositories: allowing }).apply(applyOf(job, plan));

    expect(applied.kind).toBe('applied');
  });

  test('a file that planning changed is the changed one in the apply on another host', async () => {
    const files = { 'main.tf': READING, 'app/fn.zip': hosts.lfs.store(CONTENT) };
    const changed = CONTENT.toUpperCase();
    const job = await hosts.deploy(files, { plan: [{ kind: 'run', run: `printf '${changed}' > app/fn.zip` }] });

    const plan = await hosts.openHost({ repositories: allowing }).plan(job);
    await hosts.goTo('m2');
    const applied = await hosts.openHost({ hostId: 'h2', repositories: allowing }).apply(applyOf(job, plan));

    expect(applied.kind).toBe('applied');
    expect(await readFile(join(hosts.treeOf(job), 'app', 'fn.zip'), 'utf8')).toBe(changed);
  });

  test('a file that the server of the repository lacks is named before the plan', async () => {
    const job = await hosts.deploy({ 'main.tf': READING, 'app/fn.zip': POINTER });

    await expect(hosts.openHost({ repositories: allowing }).plan(job)).rejects.toMatchObject({
      type: 'CONTENT_ABSENT',
      message: expect.stringContaining('git lfs push --all'),
    });
  });
});
