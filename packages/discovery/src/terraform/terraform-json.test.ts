import { expect, test } from '@jest/globals';
import { NO_FACTS } from './terraform-facts.ts';
import { readTerraformJson } from './terraform-json.ts';

test.each([
  [{ terraform: { backend: { s3: {} } } }, true],
  [{ terraform: [{ required_version: '1' }, { cloud: {} }] }, true],
  [{ terraform: { required_version: '1' } }, false],
  [{ backend: {} }, false],
  [[{ terraform: { backend: {} } }], false],
  [null, false],
])('a backend is a key of terraform: %j', (value, hasBackend) => {
  expect(readTerraformJson(JSON.stringify(value)).hasBackend).toBe(hasBackend);
});

test('local modules are those whose source is a path', () => {
  const module = {
    vpc: { source: './vpc' },
    list: [{ source: '../list' }],
    far: { source: 'a/b/c' },
    odd: { source: 1 },
  };

  expect(readTerraformJson(JSON.stringify({ module })).modules).toEqual(['./vpc', '../list']);
});

test('what is not JSON has neither', () => {
  expect(readTerraformJson('{')).toEqual(NO_FACTS);
});
