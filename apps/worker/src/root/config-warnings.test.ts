import { expect, test } from '@jest/globals';
import { configWarnings } from './config-warnings.ts';

const inFile = (line: number, message = 'expected version 3, found 2') => ({
  path: 'version',
  line,
  column: 1,
  message,
});

test('a warning names its place; one about the repository has none', () => {
  const misnamed = { path: '', message: 'expected nereid.yaml, found nereid.yml, which is not read; rename it' };

  expect(configWarnings({ file: 'atlantis.yaml', warnings: [inFile(2), misnamed] })).toEqual([
    'atlantis.yaml:2:1 version: expected version 3, found 2',
    'expected nereid.yaml, found nereid.yml, which is not read; rename it',
  ]);
  expect(configWarnings({ file: 'nereid.yaml', warnings: [{ ...inFile(7), file: 'roots/a.yaml' }] })).toEqual([
    'roots/a.yaml:7:1 version: expected version 3, found 2',
  ]);
});

test('two are listed, and the others are counted', () => {
  const warned = (count: number) => {
    const warnings = Array.from({ length: count }, (_none, index) => inFile(index + 1));
    return configWarnings({ file: 'atlantis.yaml', warnings });
  };

  expect(warned(0)).toEqual([]);
  expect(warned(2)).toHaveLength(2);
  expect(warned(3).at(-1)).toBe('1 more is not listed; fix these first');
  expect(warned(200)).toHaveLength(3);
  expect(warned(200).at(-1)).toBe('198 more are not listed; fix these first');
});

test('a hostile warning is one short line', () => {
  const [line = '', ...others] = configWarnings({
    file: 'nereid.yaml',
    warnings: [inFile(1, `\u001b[31mred\u202e\n## heading ${'x'.repeat(100_000)}`)],
  });

  expect(others).toEqual([]);
  expect(line).toMatch(/^nereid\.yaml:1:1 version: red ## heading x+…$/);
  expect(line).toHaveLength(200);
});
