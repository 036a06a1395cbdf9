import { describe, expect, test } from '@jest/globals';
import { NO_FACTS } from './terraform-facts.ts';
import { readTerraformJson } from './terraform-json.ts';

test.each([
  [{ terraform: { backend: { s3: {} } } }, true],
  [{ terraform: [{ required_version: '1' }, { cloud: {} }] }, true],
  [{ terraform: { required_version: '1' } }, false],
  [{ backend: {} }, false],
  [[{ terraform: [[{ backend: {} }]] }], true],
  [null, false],
])('a backend is a key of terraform: %j', (value, hasBackend) => {
  expect(readTerraformJson(JSON.stringify(value)).hasBackend).toBe(hasBackend);
});

test('local modules are those whose source is a path', () => {
  const module = {
    vpc: { source: './vpc' },
    list: [{ source: '../list' }],
    windows: { source: '..\\windows\\dns' },
    far: { source: 'a/b/c' },
    odd: { source: 1 },
  };

  expect(readTerraformJson(JSON.stringify({ module })).modules).toEqual(['./vpc', '../list', '../windows/dns']);
});

test('modules are found in lists of lists, which Terraform takes as well', () => {
  expect(readTerraformJson('[[{"module":[[{"a":[[{"source":"../a"}]]}]]}]]').modules).toEqual(['../a']);
});

test('what is not JSON may name anything', () => {
  expect(readTerraformJson('{')).toEqual({ ...NO_FACTS, computed: 'text that is not JSON' });
});

describe('an object with a key twice', () => {
  test.each([
    '{"module":{"a":{"source":"../a"}},"module":{}}',
    '{"module":{"a":{"source":"../a"},"a":{}}}',
    '{"module":{},"modul\\u0065":{}}',
    '{"x":[{"y":1,"z":["}",{}],"y":2}]}',
  ])('may name anything: %s', (text) => {
    expect(readTerraformJson(text).computed).toMatch(/^the key ".*" twice in an object$/);
  });

  test.each([
    '{"a":{"x":1},"b":{"x":1}}',
    '{"a":[{"x":"x"},{"x":"x"}]}',
    '{"//":"one","//":"two"}',
    '{"a":"\\"a\\":"}',
  ])('is not one of several objects, nor has it two comments: %s', (text) => {
    expect(readTerraformJson(text).computed).toBeUndefined();
  });

  test('has a backend if any key says so', () => {
    const hidden = '{"terraform":{"backend":{"s3":{}}},"terraform":{}}';

    expect(readTerraformJson(hidden).hasBackend).toBe(true);
    expect(readTerraformJson('{"terraform":{},"terraform":{}}').hasBackend).toBe(false);
  });
});

test.each(['{"a":', '[', '"\\"', '{"a":1,"a":'])('a megabyte of %j is read in one pass', (piece) => {
  expect(readTerraformJson(piece.repeat((1024 * 1024) / piece.length)).computed).toBeDefined();
});

test('a megabyte of keys, or of lists, is read in one pass', () => {
  const keys = `{${'"a":{"a":1},'.repeat(80_000)}"b":"\\u0061"}`;
  const lists = `{"module":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;

  expect(readTerraformJson(keys).computed).toBeDefined();
  expect(readTerraformJson(lists).modules).toEqual([]);
});
