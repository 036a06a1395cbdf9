import { describe, expect, test } from '@jest/globals';
import { readYaml, type YamlSource } from './yaml-source.ts';

describe('where a part stands', () => {
  test('a key has its own line and column', () => {
    const source = sourceOf('roots:\n  - dir: a\n    name: b\n');

    expect(source.positionOf(['roots', 0, 'name'])).toEqual({ line: 3, column: 5 });
  });

  test('an item of a list has the place of the item', () => {
    const source = sourceOf('files: [a, b]\n');

    expect(source.positionOf(['files', 1])).toEqual({ line: 1, column: 12 });
  });

  test('a missing key has the place of what it is missing from', () => {
    const source = sourceOf('roots:\n  - name: a\n');

    expect(source.positionOf(['roots', 0, 'dir'])).toEqual({ line: 2, column: 5 });
  });

  test('a part reached through an alias has its place where the anchor is', () => {
    const source = sourceOf('base: &base\n  dir: a\nroot: *base\n');

    expect(source.positionOf(['root', 'dir'])).toEqual({ line: 2, column: 3 });
  });
});

describe('what strangers write', () => {
  test('broken YAML is a problem with its place, the line that was found there, and what to do', () => {
    expect(messagesOf('a: [1, 2\nb: 3\n')).toEqual([
      '2:1 expected valid YAML, found "b: 3", of which the parser says: Flow sequence in block collection must be sufficiently indented and end with a ]; correct this line or the one above it',
    ]);
  });

  test('a line is told once, whatever else follows from it', () => {
    expect(messagesOf('- a\nb: c\n- "\n')).toEqual([
      expect.stringMatching(/^2:1 expected valid YAML, found "b: c", /),
      expect.stringMatching(/^3:\d expected valid YAML, found "- \\"", /),
    ]);
  });

  test('a key that is there twice is a problem', () => {
    expect(messagesOf('a: 1\na: 2\n')).toEqual([
      '2:1 expected each key of a mapping once, found one again in "a: 2"; remove or rename one of them',
    ]);
  });

  test('a tab is no indentation', () => {
    expect(messagesOf('a:\n\tb: 1\n')).toEqual([
      '2:1 expected spaces at the beginning of a line, found a tab; put spaces in its place',
    ]);
  });

  test.each(['', '\n', '# soon\n', '---\n', '~\n'])('an empty file is a problem of its first line: %j', (text) => {
    expect(messagesOf(text)).toEqual(['1:1 expected at least version: 1, found an empty file; write that into it']);
  });

  test('an alias of nothing is a problem', () => {
    expect(messagesOf('a: 1\nb: *.tf\n')).toEqual([
      '2:4 expected an alias of an anchor above it, found "*.tf"; put a text that begins with "*" in quotes',
    ]);
  });

  test('a second document is a problem', () => {
    expect(messagesOf('a: 1\n---\nb: 1\n')).toEqual([expect.stringContaining('found a second one')]);
  });

  test('more than 1 MiB is refused before it is parsed', () => {
    expect(messagesOf('#'.repeat(1024 * 1024 + 1))).toEqual([
      expect.stringContaining('at most 1048576 bytes, found 1048577'),
    ]);
  });

  test('brackets without end are refused', () => {
    expect(messagesOf('['.repeat(50_000))).toContainEqual(expect.stringContaining('nested too deeply'));
  });

  test('aliases that multiply are refused before they are written out', () => {
    const layers = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(',')}]`);

    expect(messagesOf(['l0: &l0 x', ...layers].join('\n'))).toEqual([
      expect.stringContaining('once its aliases are written out'),
    ]);
  });

  test('aliases of long texts are refused before they are written out', () => {
    const text = `long: &long ${'x'.repeat(4_000)}\nall: [${Array(1_100).fill('*long').join(',')}]\n`;

    expect(messagesOf(text)).toEqual([
      expect.stringMatching(/expected at most 4194304 characters, found 440\d{4} once its aliases are written out/),
    ]);
  });

  test('an alias inside itself is refused', () => {
    expect(messagesOf('a: &a [*a]\n')).toEqual([
      '1:8 expected a finite value, found an alias inside itself; write it out',
    ]);
  });

  test('an alias used a thousand times is fine', () => {
    const source = sourceOf(`base: &base [a, b]\nall: [${Array(1_000).fill('*base').join(',')}]\n`);

    expect(source.value).toMatchObject({ base: ['a', 'b'] });
  });

  test('a key named __proto__ changes nothing but itself', () => {
    sourceOf('__proto__: { polluted: true }\n');

    expect({}).not.toHaveProperty('polluted');
  });
});

test('as text, scalars stay as they are written', () => {
  const read = readYaml('version: 1.10\nenabled: yes\n', { scalars: 'text' });

  expect(read.kind === 'ok' && read.source.value).toEqual({ version: '1.10', enabled: 'yes' });
});

function sourceOf(text: string): YamlSource {
  const read = readYaml(text);
  if (read.kind === 'invalid') throw new Error(read.problems.map(({ message }) => message).join('\n'));
  return read.source;
}

function messagesOf(text: string): readonly string[] {
  const read = readYaml(text, { example: 'version: 1' });
  if (read.kind === 'ok') throw new Error('expected problems');
  return read.problems.map(({ line = 0, column = 0, message }) => `${line}:${column} ${message}`);
}
