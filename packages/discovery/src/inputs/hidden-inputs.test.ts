import { describe, expect, test } from '@jest/globals';
import { createParsedFiles } from '../parsed-files.ts';
import { anyPolicy } from '../testing/policy.ts';
import { treeOf } from '../testing/tree-of.ts';
import { inputsOfRoot } from './inputs-of-root.ts';

const NET = { dir: 'net', varFiles: [], steps: { plan: [], apply: [] }, distribution: 'terraform' } as const;

async function inputsOf(text: string, name = 'main.tf') {
  const tree = treeOf({ [`net/${name}`]: text, 'hidden/main.tf': '', 'é/main.tf': '', 'net/README.md': '' });
  return inputsOfRoot({ root: NET, tree, policy: anyPolicy(), parsed: createParsedFiles() });
}

const uses = (source: string) => `module "m" {\n  source = ${source}\n}\n`;
const local = (value: string) => `locals {\n  x = ${value}\n}\n`;
const reads = (value: string) => `data "local_file" "x" {\n  filename = ${value}\n}\n`;

describe('a module is found', () => {
  test.each([
    `${local('<<É\n/*\nÉ')}${uses('"../hidden"')}`,
    `${local(`<<${'A'.repeat(201)}\n/*\n${'A'.repeat(201)}`)}${uses('"../hidden"')}`,
    `${local('"${ 1 /* " */ }"')}${uses('"../hidden"')}`,
    `${local('<<A\n${[for\nA\nin ["/*"] : "q"][0]}\n/*\nA')}${uses('"../hidden"')}`,
    uses('"../\\u0068idden"'),
    uses('"../\\U00000068idden"'),
    'module m {\n  source = "../hidden"\n}\n',
  ])('a module is found however it is written: %j', async (text) => {
    expect((await inputsOf(text)).directories).toEqual(['net', 'hidden']);
  });

  test('by the name that Terraform makes of it', async () => {
    expect((await inputsOf(uses('"../e\u0301"'))).directories).toEqual(['net', 'é']);
    expect((await inputsOf('{"module":{"m":{"source":"../e\u0301"}}}', 'main.tf.json')).directories).toContain('é');
  });
});

describe('everything is an input', () => {
  test.each([
    uses('"a" == "b" ? "x" : "../hidden"'),
    local('(file\n(join("/", ["..", "x"])))'),
    local('[file(\n  join("/", ["..", "x"])\n)]'),
    local('"${file\n(join("/", ["..", "x"]))}"'),
    local('{ for k in ["a"] : k => file\n(join("/", ["..", k])) }'),
    local('-file(var.x)'),
    local('1-file(var.x)'),
    local('core::file(var.x)'),
    local('file(path.module == "" ? "a" : var.x)'),
    local('file(abspath("a") == "" ? "a" : var.x)'),
    local('file(file("list.txt"))'),
    local('<<A'),
    '/* open',
    local('[1'),
    local('(1]]'),
    'module "m" {',
    "x = 'a'\n",
  ])('everything is an input where a path is not literal, or the text is not understood: %j', async (text) => {
    expect((await inputsOf(text)).everything).toMatch(/^net\/main\.tf has /);
  });

  test.each([
    '{"module":{"m":{"source":"../hidden"}},"module":{}}',
    '{"module":{"m":{"source":"../$${x}"}}}',
    '{"locals":{"x":{"${file(var.x)}":1}}}',
    '{"module":',
  ])('everything is an input where the JSON has %s', async (text) => {
    expect((await inputsOf(text, 'main.tf.json')).everything).toMatch(/^net\/main\.tf\.json has /);
  });
});

describe('a root may read files that are not among its inputs', () => {
  test.each([
    'resource x y {\n  provisioner local-exec {\n    command = "make"\n  }\n}\n',
    'data external e {\n  program = ["make"]\n}\n',
    'data "ext\\u0065rnal" e {\n}\n',
    reads('(var.a)'),
    reads('["x", var.a][1]'),
    reads('[var.a]'),
    reads('{ a = var.a }.a'),
    reads('"a" == "b" ? "x" : var.a'),
    reads('!var.a'),
    reads('path.module == "" ? "a" : var.a'),
    reads('file("a") == "" ? "a" : var.a'),
    reads('<<A\n${var.a}\nA'),
    local('{ "filename" = var.a }'),
    local('{ filename : var.a }'),
    local('provider::x::f(var.a)'),
    local('provider :: x :: f("${var.a}")'),
    local('provider::x::f(g("a"))'),
  ])('a root may read other files by %j', async (text) => {
    expect((await inputsOf(text)).opaque).toMatch(/^net\/main\.tf has /);
  });

  test.each([
    '{"check":{"c":{"data":{"external":{"x":{}}}}}}',
    '[{"resource":[[{"a":[[{"b":[[{"provisioner":{}}]]}]]}]]}]',
  ])('a root may read other files by the JSON %s', async (text) => {
    expect((await inputsOf(text, 'main.tf.json')).opaque).toMatch(/^net\/main\.tf\.json has /);
  });

  test('by variables that are not understood', async () => {
    expect((await inputsOf("x = '", 'a.auto.tfvars')).opaque).toMatch(/^a file of variables has /);
  });
});

test.each([
  reads('"a.json"'),
  reads('"${path.module}/a.json"'),
  reads('path.module'),
  reads('null'),
  reads('file("a.json")'),
  reads('templatefile("a.json", {\n    a = var.a\n  })'),
  local(
    '{\n    template = { a = var.a }\n    path = [{ path = "/*", port = 80 }, "b"]\n    src : "a"\n    b = 1.5\n  }',
  ),
  local('provider::x::f("a", 1, true)'),
  local('x ? var.path : var.other'),
  local('[for data in var.x : data if data.path == var.y]'),
  local('{\n    a = local.file\n    (var.k) = 1\n  }'),
  local('"a ${~ path.module ~} %{ if true }b%{ endif }" # \'`'),
  `\ufeff${local('!true && 1 <= -2 % 3 || a[*].b... != null')}`,
])('ordinary text hides nothing: %j', async (text) => {
  expect(await inputsOf(text)).not.toHaveProperty('opaque');
});

test.each(['path=[{', 'path=[', 'file(', 'provider::a::b(', '{for', 'file={file(', '-', '"a"="'])(
  'a megabyte of %j is read in one pass',
  async (piece) => {
    const inputs = await inputsOf(piece.repeat((1024 * 1024) / piece.length - 10));

    expect(inputs.directories).toEqual(['net']);
  },
);
