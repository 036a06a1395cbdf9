/** What modifies a root besides its configuration, and which roots a revision has for each of the two programs. */
import { describe, expect, test } from '@jest/globals';
import { discoverRoots } from '../discover-roots.ts';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

async function discover(files: TestFiles, changed: readonly string[], before?: TestFiles, tofu = false) {
  const policy = { ...anyPolicy(), ...(tofu && { distribution: 'tofu' as const }) };
  const source = { tree: treeOf(files), policy, parsed: createParsedFiles(), changed };
  const found = await discoverRoots(before ? { ...source, before: treeOf(before) } : source);
  if (found.kind === 'problems') throw new Error(JSON.stringify(found.problems));
  return found;
}

const namesOf = ({ modified }: Awaited<ReturnType<typeof discover>>) => modified.map(({ root }) => root.name);

describe('a root is modified by a change of nothing but', () => {
  const files = {
    'net/main.tf': `${BACKEND}module "fn" {\n  source = "../modules/fn"\n}\nmodule "v" {\n  source = "../lib/vpc"\n}\n`,
    'modules/fn/main.tf': 'locals {\n  x = "${path.module}/../scripts/x.sh"\n}\n',
    'app/main.tf': BACKEND,
    lib: { submodule: 'a' },
  };

  test.each(['net/init.sh.tftpl', 'net/policies/iam.json', 'modules/fn/src/handler.py', 'modules/scripts/x.sh', 'lib'])(
    'a change of the input %s modifies its root',
    async (file) => {
      expect(await discover(files, [file])).toMatchObject({ modified: [{ root: { name: 'net' }, why: [file] }] });
    },
  );

  test('any file where a path is not literal', async () => {
    const computed = { ...files, 'app/main.tf': `${BACKEND}locals {\n  x = file(var.path)\n}\n` };

    expect(namesOf(await discover(computed, ['docs/x.md']))).toEqual(['app']);
  });
});

describe('the entry of a root in the file of the repository', () => {
  const ONE = '{ dir: app, name: one, var_files: [a.tfvars] }';
  const declaring = (...roots: readonly string[]): TestFiles => ({
    'nereid.yaml': `version: 1\nroots: [${roots.join(', ')}]\n`,
    'app/main.tf': BACKEND,
    'net/main.tf': BACKEND,
  });

  test.each([
    ['other variables', ONE.replace('a.tfvars', 'b.tfvars'), ['one']],
    ['another workspace', ONE.replace('{', '{ workspace: x,'), ['one']],
    ['the same, written in another way', '{ var_files: ["a.tfvars"], name: one, dir: ./app }', []],
    ['another name for the same', ONE.replace('name: one', 'name: uno'), []],
  ])('modifies it with %s', async (_what, root, expected) => {
    expect(namesOf(await discover(declaring(root), ['nereid.yaml'], declaring(ONE)))).toEqual(expected);
  });

  test('modifies it although its when_modified names other files', async () => {
    const patterns = (file: string) => declaring(`{ dir: app, when_modified: ["*.json"], var_files: [${file}] }`);

    expect(namesOf(await discover(patterns('b.tfvars'), ['nereid.yaml'], patterns('a.tfvars')))).toEqual(['app']);
  });

  test('is new, and modifies it: another workspace of the same directory', async () => {
    const stage = '{ dir: app, name: stage, workspace: stage }';

    expect(namesOf(await discover(declaring(ONE, stage), ['nereid.yaml'], declaring(ONE)))).toEqual(['stage']);
  });

  test('leaves those alone that the change of the file is not about', async () => {
    const found = await discover(
      declaring(ONE, '{ dir: net }'),
      ['nereid.yaml'],
      declaring(ONE.replace('a.', 'b.'), '{ dir: net }'),
    );

    expect(namesOf(found)).toEqual(['one']);
  });

  test('counts for all roots where nobody could read the earlier file', async () => {
    const before = { ...declaring(ONE), 'nereid.yaml': 'version: 7' };

    expect(namesOf(await discover(declaring(ONE, '{ dir: net }'), ['nereid.yaml'], before))).toEqual(['one', 'net']);
  });
});

describe('with OpenTofu', () => {
  const ONLY_TOFU = { 'net/main.tofu': BACKEND, 'net/x.tofu.json': '{}' };

  test('a root may be made of its own files only; Terraform does not see it', async () => {
    expect(await discover(ONLY_TOFU, ['net/main.tofu'], undefined, true)).toMatchObject({
      modified: [{ root: { name: 'net', distribution: 'tofu' } }],
      all: 1,
    });
    expect(await discover(ONLY_TOFU, ['net/main.tofu'])).toMatchObject({ modified: [], all: 0 });
  });

  test('its file goes before that of Terraform with the same name', async () => {
    const files = {
      'net/main.tf': BACKEND,
      'net/main.tofu': '',
      'app/a.tf.json': '{}',
      'app/a.tofu.json': '{"terraform":{"cloud":{}}}',
    };

    expect(namesOf(await discover(files, Object.keys(files), undefined, true))).toEqual(['app']);
    expect(namesOf(await discover(files, Object.keys(files)))).toEqual(['net']);
  });

  test('a hidden file is no configuration', async () => {
    expect((await discover({ 'net/.main.tf': BACKEND }, [])).all).toBe(0);
  });

  test('a root of Terraform that has only files for OpenTofu is missing', async () => {
    const declared = { 'nereid.yaml': 'version: 1\nroots: [{ dir: net }]', ...ONLY_TOFU };

    expect((await discover(declared, [])).warnings).toMatchObject([
      { message: expect.stringMatching(/^expected files in "net" .* found only files for OpenTofu; add/) },
    ]);
  });
});

describe('a declared root', () => {
  const declared = { 'nereid.yaml': 'version: 1\nroots: [{ dir: net }]' };

  test('whose files are gone is reported by the change that deleted them', async () => {
    const found = await discover({ ...declared, 'net/README.md': '' }, ['net/main.tf']);

    expect(found).toMatchObject({ deleted: ['net'], modified: [], all: 0 });
  });

  test('without files is a warning at every other', async () => {
    const found = await discover({ ...declared, 'net/README.md': '' }, ['x']);

    expect(found.warnings).toMatchObject([{ message: expect.stringContaining('found none; add them') }]);
  });

  test('in a submodule is there: its files are in another repository', async () => {
    const files = { 'nereid.yaml': 'version: 1\nroots: [{ dir: lib/net }]', lib: { submodule: 'a' } };

    expect(await discover(files, ['lib'])).toMatchObject({ modified: [{ why: ['lib'] }], warnings: [] });
  });

  test('that loses its workspace is reported, although the directory has another', async () => {
    const roots = (...names: readonly string[]) => ({
      'nereid.yaml': `version: 1\nroots: [${names.map((name) => `{ dir: net, name: ${name}, workspace: ${name} }`).join(', ')}]`,
      'net/main.tf': BACKEND,
    });

    expect((await discover(roots('a'), ['nereid.yaml'], roots('a', 'b'))).deleted).toEqual(['b']);
  });
});
