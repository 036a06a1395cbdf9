import { describe, expect, test } from '@jest/globals';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf, type TestFiles } from '../testing/tree-of.ts';
import { inputsOfRoot, type InputsSource } from './inputs-of-root.ts';
import { createIsInput, createIsInReach } from './root-inputs.ts';

const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

type OrderedRoot = InputsSource['root'];

const NET: OrderedRoot = { dir: 'net', varFiles: [], steps: { plan: [], apply: [] }, distribution: 'terraform' };

async function inputsIn(files: TestFiles, root: Partial<OrderedRoot> = {}) {
  const source = { tree: treeOf(files), policy: anyPolicy(), parsed: createParsedFiles() };
  return inputsOfRoot({ ...source, root: { ...NET, ...root } });
}

async function isInput(files: TestFiles, path: string, root: Partial<OrderedRoot> = {}): Promise<boolean> {
  return createIsInput(await inputsIn(files, root))(path);
}

const uses = (source: string) => `${BACKEND}module "m" {\n  source = "${source}"\n}\n`;
const names = (path: string) => `${BACKEND}locals {\n  x = "${path}"\n}\n`;

describe('below the directory of a root', () => {
  const files = { 'net/main.tf': BACKEND, 'net/child/main.tf': BACKEND, 'network/main.tf': BACKEND };

  test.each(['net/new.tf', 'net/init.sh.tftpl', 'net/policies/iam.json', 'net/.terraform.lock.hcl', 'net/gone'])(
    'any file is an input: %s',
    async (path) => {
      expect(await isInput(files, path)).toBe(true);
    },
  );

  test.each(['net/README.md', 'net/docs/WHY.MD', 'net/child/main.tf', 'network/main.tf', 'main.tf', 'nereid.yaml'])(
    'documentation and other roots are none: %s',
    async (path) => {
      expect(await isInput(files, path)).toBe(false);
    },
  );

  test('files for OpenTofu count with OpenTofu', async () => {
    expect(await isInput(files, 'net/main.tofu')).toBe(false);
    expect(await isInput(files, 'net/main.tofu.json', { distribution: 'tofu' })).toBe(true);
  });

  test('of a root at the top, everything counts but other roots and the file that declares them', async () => {
    const top = { ...files, 'main.tf': BACKEND, 'nereid.yaml': 'version: 1\nroots: [{ dir: . }, { dir: net }]' };

    expect(await isInput(top, 'x/y.json', { dir: '.' })).toBe(true);
    expect(await isInput(top, 'net/main.tf', { dir: '.' })).toBe(false);
    expect(await isInput(top, 'nereid.yaml', { dir: '.' })).toBe(false);
  });

  test('documentation counts for a root that goes through folders', async () => {
    const pages = { 'net/main.tf': `${BACKEND}locals { pages = fileset(path.module, "**") }` };

    expect(await isInput(pages, 'net/docs/a.md')).toBe(true);
  });
});

describe('a local module', () => {
  const files = {
    'net/main.tf': uses('../modules/fn'),
    'modules/fn/main.tf': 'module "x" {\n  source = "./sub"\n}\nmodule "y" {\n  source = "../tags"\n}\n',
    'modules/tags/main.tf.json': '{"module":{"z":{"source":"../last"}}}',
    'modules/last/main.tofu': 'module "o" {\n  source = "../only-tofu"\n}\n',
  };

  test.each(['modules/fn/src/handler.py', 'modules/fn/sub/x', 'modules/tags/x', 'modules/last/x'])(
    'counts with every file below, however many modules lead there: %s',
    async (path) => {
      expect(await isInput(files, path)).toBe(true);
    },
  );

  test('counts without its documentation', async () => {
    expect(await isInput(files, 'modules/fn/README.md')).toBe(false);
  });

  test('that only a file for OpenTofu names counts with OpenTofu', async () => {
    expect(await isInput(files, 'modules/only-tofu/x')).toBe(false);
    expect(await isInput(files, 'modules/only-tofu/x', { distribution: 'tofu' })).toBe(true);
  });

  test('in a file that OpenTofu leaves out for another does not count', async () => {
    const both = { 'net/main.tf': uses('../old'), 'net/main.tofu': uses('../new') };

    expect(await isInput(both, 'old/x', { distribution: 'tofu' })).toBe(false);
    expect(await isInput(both, 'new/x', { distribution: 'tofu' })).toBe(true);
    expect(await isInput(both, 'old/x')).toBe(true);
  });
});

describe('a string that names a file or folder makes it an input', () => {
  test.each([
    ['${path.module}/../shared/x.json', 'shared/x.json'],
    ['${path.root}/../shared/x.json', 'shared/x.json'],
    ['${path.cwd}/../shared', 'shared/deep/x.json'],
    ['../shared/x.json', 'shared/x.json'],
    ['../shared/../shared/', 'shared/x.json'],
    ['../shared/${var.name}.json', 'shared/x.json'],
    ['bash ../scripts/x.sh --all', 'scripts/x.sh'],
    ['--config=../shared/x.json', 'shared/x.json'],
    ['\\u002e./shared/x.json', 'shared/x.json'],
    ['${jsonencode({ a = "../shared/x.json" })}', 'shared/x.json'],
    ['child/x.json', 'net/child/x.json'],
    ['README.md', 'net/README.md'],
    ['../docs (old)/a b.md', 'docs (old)/a b.md'],
  ])('the string "%s" makes %s an input', async (text, path) => {
    const files = { 'net/main.tf': names(text), 'net/child/main.tf': BACKEND };

    expect(await isInput(files, path)).toBe(true);
  });

  test('in a heredoc, in JSON, in a file of variables, in a step', async () => {
    const heredoc = { 'net/main.tf': `${BACKEND}locals {\n  x = <<-EOT\n    ../scripts/x.sh\n  EOT\n}\n` };
    const json = { 'net/main.tf.json': '{"terraform":{"backend":{"s3":{}}},"locals":{"x":"../scripts/x.sh"}}' };
    const variables = { 'net/main.tf': BACKEND, 'net/prod.auto.tfvars': 'x = "../scripts/x.sh"\n' };
    const step = { kind: 'run', run: 'cd .. && ../scripts/x.sh' } as const;

    expect(await isInput(heredoc, 'scripts/x.sh')).toBe(true);
    expect(await isInput(json, 'scripts/x.sh')).toBe(true);
    expect(await isInput(variables, 'scripts/x.sh')).toBe(true);
    expect(await isInput({ 'net/main.tf': BACKEND }, 'scripts/x.sh', { steps: { plan: [step], apply: [] } })).toBe(
      true,
    );
  });

  test('in a module relative to the module, or to the root', async () => {
    const files = {
      'net/main.tf': uses('../lib/fn'),
      'lib/fn/main.tf':
        'locals {\n  a = "${path.module}/../a.json"\n  b = "../b.json"\n  c = "${path.root}/../c.json"\n}\n',
    };

    for (const path of ['lib/a.json', 'b.json', 'c.json']) expect(await isInput(files, path)).toBe(true);
    expect(await isInput(files, 'a.json')).toBe(false);
  });

  test.each([
    '.',
    '10.0.0.0/16',
    '*',
    'arn:aws:s3:::bucket/x',
    'https://example.com/../x',
    '/etc/passwd',
    '../../outside',
  ])('no other text makes a file an input: %s', async (text) => {
    const inputs = await inputsIn({ 'net/main.tf': names(text), 'net/child/main.tf': BACKEND });

    expect(inputs).toMatchObject({ named: [], directories: ['net'] });
  });
});

test('variable files and files of arguments are inputs, with what they name', async () => {
  const files = { 'net/main.tf': BACKEND, 'env/prod.tfvars': 'x = "../templates/a.tpl"\n' };
  const extraArgs = ['-var-file=../env/more.tfvars', '-backend-config', '../env/s3.hcl'];
  const root = { varFiles: ['../env/prod.tfvars'], steps: { plan: [{ kind: 'plan', extraArgs }], apply: [] } } as const;

  for (const path of ['env/prod.tfvars', 'env/more.tfvars', 'env/s3.hcl', 'templates/a.tpl'])
    expect(await isInput(files, path, root)).toBe(true);
});

describe('a symbolic link', () => {
  test('brings its target, and that of a link in it', async () => {
    const files = {
      'net/main.tf': BACKEND,
      'net/files': { link: '../shared' },
      'shared/a.json': '',
      'shared/more': { link: '../far' },
      'far/b.json': '',
    };

    for (const path of ['net/files', 'shared/a.json', 'shared/new.json', 'far/b.json'])
      expect(await isInput(files, path)).toBe(true);
  });

  test('on the way to the root, a module or a named file counts, with what it leads to', async () => {
    const files = {
      'real/net/main.tf': uses('../current') + names('../config/x.json'),
      infra: { link: 'real' },
      'real/current': { link: 'v2' },
      'real/config': { link: '../configs' },
    };

    for (const path of ['infra', 'real/net/x', 'real/current', 'real/v2/x', 'real/config', 'configs/x.json'])
      expect(await isInput(files, path, { dir: 'infra/net' })).toBe(true);
  });

  test('out of the repository says that the root reads more', async () => {
    const files = { 'net/main.tf': BACKEND, 'net/etc': { link: '/etc' } };

    expect((await inputsIn(files)).opaque).toBe('net/etc leads out of the repository');
  });
});

test('the pointer of a submodule is an input where an input lies in it', async () => {
  const files = { 'net/main.tf': uses('../lib/vpc'), 'net/vendor': { submodule: 'a' }, lib: { submodule: 'b' } };

  expect(await isInput(files, 'lib')).toBe(true);
  expect(await isInput(files, 'net/vendor')).toBe(true);
  expect(await isInput({ ...files, 'net/main.tf': BACKEND }, 'lib')).toBe(false);
});

describe('everything is an input', () => {
  test.each([
    'module "m" {\n  source = "../${var.name}"\n}\n',
    'module "m" {\n  source = var.name\n}\n',
    'locals {\n  x = file(var.path)\n}\n',
    'locals {\n  x = templatefile("${local.dir}/x.tpl", {})\n}\n',
    'locals {\n  x = "${filemd5(local.path)}"\n}\n',
    'locals {\n  x = fileset(local.dir, "*")\n}\n',
  ])('everything is an input where a path is not literal: %j', async (text) => {
    const inputs = await inputsIn({ 'net/main.tf': BACKEND + text });

    expect(inputs.everything).toMatch(/^net\/main\.tf has /);
    expect(createIsInput(inputs)('any/where')).toBe(true);
  });

  test('also in a module, and in JSON', async () => {
    const json = '{"module":{"a":{"source":"./${var.x}"}},"locals":{"a":"${file(var.x)}"}}';

    expect(await inputsIn({ 'net/main.tf': uses('../m'), 'm/main.tf.json': json })).toMatchObject({
      everything: expect.stringMatching(/^m\/main.tf.json has /),
    });
  });

  test.each([
    'x = file("${path.module}/a.json")',
    'x = file("policies/${each.key}.json")',
    'x = file("${path.module}/policies/${each.key}.json")',
    'x = fileset(path.module, "*")',
    'x = file(abspath("a.json"))',
    'description = "the file (PEM) of the key"',
    '# file(var.x)',
  ])('not where its folder is: %s', async (text) => {
    expect((await inputsIn({ 'net/main.tf': `${BACKEND}locals {\n  ${text}\n}\n` })).everything).toBeUndefined();
  });
});

describe('a root may read files that are not among its inputs', () => {
  test.each([
    'data "external" "x" {\n  program = ["python3", "${path.module}/gen.py"]\n}\n',
    'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "make"\n  }\n}\n',
    'locals {\n  x = fileset(path.module, "*")\n}\n',
    'locals {\n  x = file("policies/${each.key}.json")\n}\n',
    'locals {\n  x = join("/", ["..", "..", "x.json"])\n}\n',
    'locals {\n  x = "${var.base}/../x.json"\n}\n',
    'data "local_file" "x" {\n  filename = var.path\n}\n',
    'data "local_file" "x" {\n  filename = "${var.path}"\n}\n',
  ])('a root may read other files by %j', async (text) => {
    expect((await inputsIn({ 'net/main.tf': BACKEND + text })).opaque).toMatch(/^net\/main\.tf has /);
  });

  test.each([
    '{"data":{"external":{"x":{}}}}',
    '{"resource":{"a":{"b":[{"provisioner":[{"local-exec":{"command":"make"}}]}]}}}',
    '{"data":{"local_file":{"x":{"filename":"${var.path}"}}}}',
  ])('a root may read other files by the JSON %s', async (text) => {
    expect((await inputsIn({ 'net/main.tf.json': text })).opaque).toMatch(/^net\/main\.tf\.json has /);
  });

  test('by a step that runs a command', async () => {
    const steps = { plan: [{ kind: 'run', run: 'make' } as const], apply: [] };

    expect((await inputsIn({ 'net/main.tf': BACKEND }, { steps })).opaque).toBe('a step that runs a command');
  });

  test('and reads none as a rule', async () => {
    const text = `${BACKEND}locals {\n  x = templatefile("\${path.module}/../x.tpl", { a = var.b })\n}\n`;

    expect((await inputsIn({ 'net/main.tf': text })).opaque).toBeUndefined();
  });
});

test.each(['../', '..', '${', '../${x}/', '"../."', '....'])('a megabyte of %j is read in one pass', async (piece) => {
  const text = piece.repeat((1024 * 1024) / piece.length - 10);

  const inputs = await inputsIn({ 'net/main.tf': `${BACKEND}locals {\n  x = "../${text}x"\n}\n` });

  expect(inputs.directories).toEqual(['net']);
});

test('where the repository has a file that cannot be read, other roots are those that are found', async () => {
  const files = { 'nereid.yaml': 'version: 7', 'net/main.tf': BACKEND, 'net/child/main.tf': BACKEND };

  expect(await isInput(files, 'net/x')).toBe(true);
  expect(await isInput(files, 'net/child/x')).toBe(false);
});

describe('in reach of a root that may read any file', () => {
  const provisioner =
    'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "../../tools/build/run.sh"\n  }\n}\n';
  const files = { 'live/net/main.tf': BACKEND, 'live/net/child/main.tf': BACKEND, 'tools/build/run.sh': '' };
  const isInReach = async (path: string, text = provisioner) =>
    createIsInReach(await inputsIn({ ...files, 'live/net/run.tf': text }, { dir: 'live/net' }))(path);

  test.each([
    'live/net/x.zip',
    'live/net/child/x',
    'live/net/README.md',
    'live/lib',
    'lib',
    'tools/build/x',
    'tools/bin',
  ])('is what lies in its folders, and beside them and what it names: %s', async (path) => {
    expect(await isInReach(path)).toBe(true);
  });

  test.each(['docs/theme', 'live/app/x', 'tools/other/x', 'live/network/x'])('is nothing else: %s', async (path) => {
    expect(await isInReach(path)).toBe(false);
  });

  test('are the inputs alone where it reads no others', async () => {
    expect(await isInReach('live/net/x.zip', '')).toBe(true);
    expect(await isInReach('live/lib', '')).toBe(false);
    expect(await isInReach('live/net/child/x', '')).toBe(false);
  });
});
