import { describe, expect, test } from '@jest/globals';
import { discoverRoots } from './discover-roots.ts';
import { createParsedFiles } from './parsed-files.ts';
import { anyPolicy } from './testing/policy.ts';
import { treeOf, type TestFiles } from './testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';
const uses = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;

async function discover(files: TestFiles, changed: readonly string[], before?: TestFiles) {
  const source = { tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles(), changed };
  const found = await discoverRoots(before ? { ...source, before: treeOf(before) } : source);
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return found;
}

const modified = async (files: TestFiles, changed: readonly string[]) =>
  (await discover(files, changed)).modified.map(({ root }) => root.name);

describe('without a configuration, a root', () => {
  test('is a directory with a backend or a lock file, and nothing else', async () => {
    const files = {
      'net/main.tf': BACKEND,
      'cloud/main.tf': 'terraform {\n  cloud {}\n}',
      'json/main.tf.json': '{"terraform":{"backend":{"s3":{}}}}',
      'locked/main.tf': '',
      'locked/.terraform.lock.hcl': '',
      'modules/vpc/main.tf': 'resource "x" "y" {}',
      'docs/main.tf.txt': BACKEND,
      'net/.terraform/modules/x/main.tf': BACKEND,
      'only-lock/.terraform.lock.hcl': '',
    };

    expect((await discover(files, [])).all).toBe(4);
    expect(await modified(files, Object.keys(files))).toEqual(['cloud', 'json', 'locked', 'net']);
  });

  test('is not a module, though it has a lock file', async () => {
    const files = { 'net/main.tf': BACKEND + uses('../vpc'), 'vpc/main.tf': '', 'vpc/.terraform.lock.hcl': '' };

    expect((await discover(files, [])).all).toBe(1);
  });

  test('has the name of its directory', async () => {
    const files = { 'main.tf': BACKEND, 'a/b c/main.tf': BACKEND, 'x/y/main.tf': BACKEND, 'x-y/main.tf': BACKEND };

    expect(await modified(files, Object.keys(files))).toEqual([
      'root',
      'a-b-c',
      expect.stringMatching(/^x-y-[0-9a-f]{8}$/),
      expect.stringMatching(/^x-y-[0-9a-f]{8}$/),
    ]);
  });
});

describe('a root is modified', () => {
  const files = {
    'net/main.tf': BACKEND + uses('../modules/vpc'),
    'app/main.tf': BACKEND + uses('../modules/service'),
    'app/sub/main.tf': '',
    'idle/main.tf': BACKEND,
    'modules/vpc/main.tf': uses('./subnets'),
    'modules/vpc/subnets/main.tf.json': '{"module":{"x":{"source":"../../tags"}}}',
    'modules/service/main.tf': '',
    'modules/tags/main.tf': '',
  };

  test.each([
    ['its own configuration', 'net/main.tf', ['net']],
    ['a new file of it', 'net/new.tf.json', ['net']],
    ['its variables', 'net/prod.tfvars', ['net']],
    ['its lock file', 'net/.terraform.lock.hcl', ['net']],
    ['a module', 'modules/service/main.tf', ['app']],
    ['a module of a module of a module', 'modules/tags/main.tf', ['net']],
    ['a file that a module lost', 'modules/vpc/subnets/gone.tf', ['net']],
  ])('a change of %s modifies its root', async (_what, file, expected) => {
    expect(await modified(files, [file])).toEqual(expected);
  });

  test.each(['net/README.md', 'modules/other/main.tf', 'main.tf', 'network/main.tf'])(
    'not by a change of %s',
    async (file) => {
      expect(await modified(files, [file])).toEqual([]);
    },
  );

  test('by a module that was deleted or renamed away', async () => {
    expect(await modified({ 'net/main.tf': BACKEND + uses('../gone') }, ['gone/main.tf'])).toEqual(['net']);
  });

  test('by modules that use each other in a circle', async () => {
    const circle = { 'r/main.tf': BACKEND + uses('../a'), 'a/x.tf': uses('../b'), 'b/x.tf': uses('../a') };

    expect(await modified(circle, ['b/x.tf'])).toEqual(['r']);
  });

  test('and says by which files, at most three', async () => {
    const changed = ['modules/vpc/a.tf', 'modules/vpc/b.tf', 'modules/vpc/c.tf', 'modules/vpc/d.tf'];

    const { modified: found } = await discover(files, changed);

    expect(found.map(({ why }) => why)).toEqual([changed.slice(0, 3)]);
  });
});

describe('symbolic links', () => {
  test('to a module lead to its users, whether the link or what it leads to changes', async () => {
    const files = { 'net/main.tf': BACKEND + uses('../current'), current: { link: 'vpc-v2' }, 'vpc-v2/main.tf': '' };

    expect(await modified(files, ['vpc-v2/main.tf'])).toEqual(['net']);
    expect(await modified(files, ['current'])).toEqual(['net']);
  });

  test('to a file make it part of the root', async () => {
    const files = { 'net/common.tf': { link: '../common.tf' }, 'common.tf': BACKEND };

    expect(await modified(files, ['common.tf'])).toEqual(['root', 'net']);
  });

  test.each(['../../etc', '/etc', 'loop'])('out of the repository make a root a problem: %s', async (link) => {
    const files = { 'nereid.yaml': 'version: 1\nroots: [{ dir: infra/net }]', infra: { link }, loop: { link: 'loop' } };

    const found = await discoverRoots({ ...sourceOf(files), changed: [] });

    expect(found).toMatchObject({
      kind: 'problems',
      problems: [{ path: 'roots[0].dir', message: expect.stringMatching(/expected .* inside the repository, found/) }],
    });
  });

  test.each([
    ['nereid.yaml', 'version: 1\nroots:\n  - dir: a\n  - name: net\n    dir: infra/net\n', 'roots[1].dir'],
    ['atlantis.yaml', 'version: 3\nprojects:\n  - dir: a\n  - name: net\n    dir: infra/net\n', 'projects[1].dir'],
  ])('out of the repository are a problem of the line that names the directory: %s', async (file, text, path) => {
    const files = { [file]: text, infra: { link: '/etc' }, 'a/main.tf': '' };

    const found = await discoverRoots({ ...sourceOf(files), changed: [] });

    expect(found).toMatchObject({ kind: 'problems', problems: [{ path, line: 5, column: 5 }] });
  });

  test('inside the repository may be passed by the directory of a root', async () => {
    const files = {
      'nereid.yaml': 'version: 1\nroots: [{ dir: infra/net, name: net }]',
      infra: { link: 'real' },
      'real/net/main.tf': '',
    };

    const found = await discover(files, ['real/net/main.tf']);

    expect(found.modified.map(({ root }) => root.dir)).toEqual(['infra/net']);
  });
});

describe('with nereid.yaml', () => {
  const config = (roots: string, rest = '') => ({ 'nereid.yaml': `version: 1\nroots:\n${roots}\n${rest}` });

  test('the roots are those it declares', async () => {
    const files = { ...config('  - dir: net'), 'net/main.tf': '', 'other/main.tf': BACKEND };

    expect(await modified(files, ['net/main.tf', 'other/main.tf'])).toEqual(['net']);
  });

  test('and those found by themselves, where it says so', async () => {
    const rest = 'autodiscover: { mode: enabled, ignore: ["examples/**"] }';
    const files = {
      ...config('  - dir: net', rest),
      'net/x.tf': BACKEND,
      'b/x.tf': BACKEND,
      'examples/c/x.tf': BACKEND,
    };

    expect(await modified(files, Object.keys(files))).toEqual(['net', 'b']);
  });

  test('when_modified takes the place of the default', async () => {
    const roots = '  - dir: net\n    when_modified: ["*.json", "../modules/**", "!skip.json"]';
    const files = { ...config(roots), 'net/main.tf': uses('../vpc'), 'vpc/main.tf': '' };

    expect(await modified(files, ['net/main.tf', 'vpc/main.tf', 'net/skip.json'])).toEqual([]);
    expect(await modified(files, ['modules/deep/x'])).toEqual(['net']);
  });

  test('nothing is read of Terraform when every root has its patterns', async () => {
    const tree = treeOf({ ...config('  - dir: net\n    when_modified: ["*.tf"]'), 'net/main.tf': '' });

    await discoverRoots({ ...sourceOf({}), tree, changed: ['net/main.tf'] });

    expect(tree.read).toEqual(['nereid.yaml']);
  });

  test('a change of a variable file that a root names counts', async () => {
    const files = { ...config('  - dir: net\n    var_files: [../env/prod.vars]'), 'net/main.tf': '' };

    expect(await modified(files, ['env/prod.vars'])).toEqual(['net']);
  });

  test('its problems are reported, all of them', async () => {
    const files = { 'nereid.yaml': 'version: 1\nroots:\n  - dir: ../out\n  - dir: a\n    colour: red\n' };

    const found = await discoverRoots({ ...sourceOf(files), changed: [] });

    expect(found).toMatchObject({ kind: 'problems', problems: [{ line: 3 }, { line: 5 }] });
  });

  test('it goes before atlantis.yaml', async () => {
    const files = { ...config('  - dir: net'), 'atlantis.yaml': 'not: read', 'net/main.tf': '' };

    expect((await discover(files, [])).all).toBe(1);
  });

  test('that is a symbolic link is a problem', async () => {
    const found = await discoverRoots({ ...sourceOf({ 'nereid.yaml': { link: 'elsewhere' } }), changed: [] });

    expect(found).toMatchObject({ kind: 'problems' });
  });

  test.each(['nereid.yml', 'Nereid.yaml', 'atlantis.yml'])(
    'under a name that is not read is a problem: %s',
    async (name) => {
      const found = await discoverRoots({ ...sourceOf({ [name]: '', 'net/main.tf': BACKEND }), changed: [] });

      expect(found).toMatchObject({
        kind: 'problems',
        problems: [{ message: expect.stringContaining(`found ${name}, which is not read; rename it`) }],
      });
    },
  );

  test.each(['nereid.yml', 'atlantis.yml'])('beside one that is read, such a name is a warning: %s', async (name) => {
    const found = await discover({ ...config('  - dir: net'), [name]: '', 'net/main.tf': BACKEND }, []);

    expect(found.warnings.map(({ message }) => message)).toEqual([expect.stringContaining(name)]);
  });

  test('for Nereid under such a name is a problem beside that of Atlantis, which it would replace', async () => {
    const files = { 'nereid.yml': '', 'atlantis.yaml': 'version: 3\n', 'net/main.tf': BACKEND };

    expect(await discoverRoots({ ...sourceOf(files), changed: [] })).toMatchObject({ kind: 'problems' });
  });
});

test('with atlantis.yaml a project that is not planned by itself is not modified', async () => {
  const projects = 'version: 3\nprojects:\n- dir: a\n  autoplan: { enabled: false }\n- dir: b\n';
  const files = { 'atlantis.yaml': projects, 'a/main.tf': '', 'b/main.tf': '' };

  expect(await modified(files, ['a/main.tf', 'b/main.tf'])).toEqual(['b']);
});

describe('a root whose directory is gone', () => {
  test('is reported by the change that deleted it', async () => {
    const files = { 'nereid.yaml': 'version: 1\nroots: [{ dir: net }, { dir: app }]', 'app/main.tf': '' };

    const found = await discover(files, ['net/main.tf']);

    expect(found).toMatchObject({ deleted: ['net'], modified: [], all: 1 });
  });

  test('and is a warning at every other', async () => {
    const found = await discover({ 'nereid.yaml': 'version: 1\nroots: [{ dir: net }]', 'x/main.tf': '' }, []);

    expect(found.deleted).toEqual([]);
    expect(found.warnings).toMatchObject([{ message: expect.stringContaining('root net, found none') }]);
  });

  describe('of which the change itself made the declaration', () => {
    const before = { 'nereid.yaml': 'version: 1\nroots: [{ dir: app }]', 'app/main.tf': '' };
    const declare = (dir: string) => ({
      ...before,
      'nereid.yaml': `version: 1\nroots: [{ dir: app }, { dir: ${dir} }]`,
    });

    test('is a problem: nobody would learn that it is not deployed', async () => {
      const source = { ...sourceOf(declare('ap')), before: treeOf(before) };

      expect(await discoverRoots({ ...source, changed: ['nereid.yaml'] })).toMatchObject({
        kind: 'problems',
        file: 'nereid.yaml',
        problems: [{ message: 'expected the directory "ap" of root ap, found none; correct dir or remove the root' }],
      });
    });

    test('is a warning where an earlier change made it', async () => {
      const found = await discover(declare('ap'), ['app/main.tf'], declare('ap'));

      expect(found).toMatchObject({ modified: [{ root: { name: 'app' } }], warnings: [{}] });
    });

    test('is a warning with atlantis.yaml', async () => {
      const projects = (dirs: readonly string[]) => ({
        'app/main.tf': '',
        'atlantis.yaml': `version: 3\nprojects:\n${dirs.map((dir) => `- dir: ${dir}\n`).join('')}`,
      });

      expect(await discover(projects(['app', 'ap']), ['atlantis.yaml'], projects(['app']))).toMatchObject({
        warnings: [{}],
      });
    });
  });

  test('is reported too when it was found by itself', async () => {
    const before = { 'net/main.tf': BACKEND + uses('../vpc'), 'app/main.tf': BACKEND, 'vpc/main.tf': '' };

    const found = await discover({ 'app/main.tf': BACKEND }, ['net/main.tf', 'vpc/main.tf'], before);

    expect(found.deleted).toEqual(['net']);
  });

  test('is reported under its old name when it was renamed', async () => {
    const found = await discover({ 'b/main.tf': BACKEND }, ['a/main.tf', 'b/main.tf'], { 'a/main.tf': BACKEND });

    expect(found.deleted).toEqual(['a']);
    expect(found.modified.map(({ root }) => root.name)).toEqual(['b']);
  });

  test('is reported although its declaration went with it', async () => {
    const before = { 'nereid.yaml': declared('net', 'app'), 'net/main.tf': '', 'app/main.tf': '' };
    const files = { 'nereid.yaml': declared('app'), 'app/main.tf': '' };

    const found = await discover(files, ['nereid.yaml', 'net/main.tf'], before);

    expect(found).toMatchObject({ deleted: ['net'], modified: [], all: 1 });
  });

  test('is reported when the file that says where roots are went, or came, with it', async () => {
    const declaring = { 'nereid.yaml': declared('net'), 'net/main.tf': '', 'app/main.tf': BACKEND };
    const discovering = { 'app/main.tf': BACKEND };
    const changed = ['nereid.yaml', 'net/main.tf'];

    expect((await discover(discovering, changed, declaring)).deleted).toEqual(['net']);
    expect((await discover(declaring, changed, discovering)).deleted).toEqual(['app']);
  });

  test('is none that keeps its name in another directory, or its directory under another name', async () => {
    const before = { 'nereid.yaml': declared('net', 'app'), 'net/main.tf': '', 'app/main.tf': '' };
    const files = {
      'nereid.yaml': 'version: 1\nroots: [{ dir: core/net, name: net }, { dir: app, name: shop }]',
      'core/net/main.tf': '',
      'app/main.tf': '',
    };

    const found = await discover(files, ['nereid.yaml', 'net/main.tf', 'core/net/main.tf'], before);

    expect(found.deleted).toEqual([]);
    expect(found.modified).toMatchObject([{ root: { name: 'net', dir: 'core/net' } }]);
  });

  test('is not looked for when nothing was taken away that could be one', async () => {
    const before = treeOf({ 'a/main.tf': BACKEND });
    await discoverRoots({ ...sourceOf({ 'a/main.tf': `${BACKEND}# a` }), changed: ['a/main.tf'], before });

    expect(before.read).toEqual([]);
  });

  test('is unknown where nobody could read the earlier configuration', async () => {
    const before = { 'nereid.yaml': 'version: 7', 'net/main.tf': BACKEND };

    const found = await discover({ 'app/main.tf': BACKEND }, ['nereid.yaml', 'net/main.tf'], before);

    expect(found).toMatchObject({ deleted: [], isEarlierUnread: true });
  });
});

test('a path that no disk takes is no root, and a reason is cut', async () => {
  const deep = `net/${'deep/'.repeat(1_000)}main.tf`;
  const files = { 'net/main.tf': BACKEND + uses(`./${'deep/'.repeat(1_000)}`), [deep]: BACKEND };

  const { all, modified: roots } = await discover(files, [deep]);

  expect(all).toBe(1);
  expect(roots).toMatchObject([{ root: { name: 'net' }, why: [deep.slice(0, 300)] }]);
});

test('what was read once is not read again, in whatever revision it is', async () => {
  const parsed = createParsedFiles();
  const files = { 'net/main.tf': BACKEND, 'app/main.tf': `${BACKEND}# app` };
  await discoverRoots({ ...sourceOf(files), parsed, changed: [] });
  const next = treeOf({ ...files, 'app/main.tf': `${BACKEND}# changed`, 'copy/main.tf': BACKEND });

  const found = await discoverRoots({ ...sourceOf({}), parsed, tree: next, changed: [] });

  expect(next.read).toEqual(['app/main.tf']);
  expect(found).toMatchObject({ all: 3 });
});

function declared(...dirs: readonly string[]): string {
  return `version: 1\nroots: [${dirs.map((dir) => `{ dir: ${dir} }`).join(', ')}]`;
}

function sourceOf(files: TestFiles) {
  return { tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles() };
}
