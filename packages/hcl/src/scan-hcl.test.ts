import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanHcl } from './scan-hcl.ts';

test('blocks and plain attributes come in their order, with the one block around them', () => {
  const text = 'terraform {\n  required_version = "1.5"\n  backend "s3" {\n    key = "x"\n  }\n}\nname = "y"\n';

  expect([...scanHcl(text)]).toEqual([
    { kind: 'block', type: 'terraform', within: undefined },
    { kind: 'attribute', name: 'required_version', value: '1.5', within: 'terraform' },
    { kind: 'block', type: 'backend', within: 'terraform' },
    { kind: 'attribute', name: 'key', value: 'x', within: undefined },
    { kind: 'attribute', name: 'name', value: 'y', within: undefined },
  ]);
});

test.each(['x = a ? "1" : "2"', 'x = f("1")', 'x = ["1"]', 'x = y == "1"', 'x = "${y}"', 'x = y\n"1"'])(
  'a string within an expression is no value: %j',
  (text) => {
    expect([...scanHcl(text)]).toEqual([{ kind: 'expression', name: 'x', within: undefined }]);
  },
);

test('two words before an equals sign are no attribute', () => {
  expect([...scanHcl('x y = "1"')]).toEqual([]);
});

describe('hostile text', () => {
  test('of any kind is scanned without an error', () => {
    const piece = fc.constantFrom(
      '"',
      '${',
      '%{',
      '{',
      '}',
      '<<A\n',
      'A\n',
      '/*',
      '*/',
      '#',
      '\n',
      '\\',
      '=',
      'module',
      'x',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );

    fc.assert(fc.property(text, (each) => Array.isArray([...scanHcl(each)])));
  });

  test.each(['{', '"${', '<<A\n', '/*', '"', 'module "', '((((', '\\', '<<'])(
    'a megabyte of %j is scanned in one pass',
    (piece) => {
      const text = piece.repeat((1024 * 1024) / piece.length);

      expect([...scanHcl(text)].filter(({ within }) => within === 'terraform')).toEqual([]);
    },
  );

  test('a comment around everything keeps what is in it hidden', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('*/')),
        (text) => {
          expect([...scanHcl(`/*${text}terraform { backend "x" {} }*/`)]).toEqual([]);
        },
      ),
    );
  });
});
