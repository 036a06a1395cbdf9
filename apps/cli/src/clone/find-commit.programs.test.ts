import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aConsole, RUNNING } from '@nereid/console/testing';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { controlThat } from '../testing/fake-control.ts';
import { nereidInside } from '../testing/run.ts';

const OF_US = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_CONFIG_GLOBAL: '/dev/null' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org', GIT_CONFIG_NOSYSTEM: '1' },
};

const folder = folderOfEachTest();
let first: string;
let second: string;

beforeEach(() => {
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', 'git@github.com:Acme/infra.git');
  first = commit('one');
  second = commit('two');
  git('tag', '--annotate', 'v1', '--message', 'v1', first);
  git('update-ref', 'refs/remotes/origin/main', second);
});

describe('in a clone, a commit is', () => {
  test.each([
    ['main', () => second, 'branch main, branch origin/main'],
    ['origin/main', () => second, 'branch origin/main'],
    ['v1', () => first, 'tag v1'],
    ['HEAD', () => second, 'HEAD of this clone'],
  ])('%s, and it says which that is', async (name, sha, what) => {
    const { stderr, revision } = await deploy(name);

    expect(revision).toBe(sha());
    expect(stderr).toBe(`${name} is ${sha()} (${what}).\n`);
  });

  test('the beginning of one', async () => {
    expect(await deploy(first.slice(0, 10))).toMatchObject({ revision: first });
  });

  test('not two at once: a branch of this clone that GitHub has otherwise', async () => {
    git('update-ref', 'refs/remotes/origin/main', first);

    const { status, stderr, revision } = await deploy('main');

    expect([status, revision]).toEqual([2, undefined]);
    expect(stderr).toContain(
      `expected one commit, found that main is ${second} (branch main), ${first} (branch origin/main); write the one that you mean`,
    );
  });

  test('not a tag and a branch of one name', async () => {
    git('tag', 'main', first);

    expect((await deploy('main')).stderr).toContain(`${first} (tag main)`);
  });

  test('not what nothing has as its name', async () => {
    expect(await deploy('nothing')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('found nothing, of which this clone of acme/infra knows nothing; git fetch'),
    });
  });
});

test('in a clone, a root is named without its repository', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
  const env = { PATH: process.env['PATH'] ?? '' };

  const { stdout } = await nereidInside(['why', 'network'], { console, folder, env });
  git('remote', 'remove', 'origin');
  const { stderr } = await nereidInside(['why', 'network'], { console, folder, env });

  expect(stdout).toContain('Nothing waits in acme/infra/network.');
  expect(stderr).toContain('expected a lane like acme/infra/network (owner/repository/root), found network');
});

test.each(['--upload-pack=x', 'a..b', 'a b', '*', '@{-1}'])('%j is given to no git', async (name) => {
  const { status, stderr } = await deploy(name);

  expect(status).toBe(2);
  expect(stderr).toMatch(/expected a commit, a branch or a tag, found|has no option/);
});

describe('outside of a clone', () => {
  beforeEach(() => {
    git('remote', 'set-url', 'origin', 'git@github.com:acme/other.git');
  });

  test('the beginning of a commit is looked for in the last merges', async () => {
    const { sha } = RUNNING.revision;

    expect(await deploy(sha.slice(0, 7))).toMatchObject({ revision: sha });
  });

  test('a branch is nothing', async () => {
    expect((await deploy('main')).stderr).toContain('call nereid in a clone of acme/infra');
  });
});

async function deploy(name: string) {
  const control = controlThat({});
  const at = new Date().toISOString();
  const console = await aConsole({
    isLocal: true,
    requests: control,
    lane: { running: { ...RUNNING, receivedAt: at } },
  });
  const env = { PATH: process.env['PATH'] ?? '' };
  const ended = await nereidInside(['deploy', 'acme/infra', name, 'network'], { console, folder, env });
  const [asked] = control.asked as readonly { readonly request: { readonly revision?: string } }[];
  return { ...ended, revision: asked?.request.revision };
}

function commit(text: string): string {
  writeFileSync(join(folder, 'file'), text);
  git('add', 'file');
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', 'HEAD');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, env: { PATH: process.env['PATH'], ...OF_US } })
    .toString()
    .trim();
}
