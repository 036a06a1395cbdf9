import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSecretMask } from './secret-mask.ts';

describe('a secret is hidden', () => {
  test('where it stands in the output', () => {
    expect(masked(['hunter2'], 'password=hunter2\n')).toBe('password=***\n');
  });

  test('also when it is split over any number of pieces', () => {
    expect(masked(['hunter2'], 'x', 'hun', '', 't', 'er2', 'y')).toBe('x***y');
  });

  test('also when a shorter secret is its beginning', () => {
    expect(masked(['abc', 'abcdef'], 'abc', 'def')).toBe('***');
  });

  test('also when it overlaps with another', () => {
    expect(masked(['xab', 'abcd'], 'xab', 'cd!')).toBe('***!');
  });

  test('line by line when it has several, whatever they are indented by', () => {
    expect(masked(['-----BEGIN\nkey-material\n}\n'], '  -----BEGIN\n  key-material\n  }\n')).toBe(
      '  ***\n  ***\n  }\n',
    );
  });

  test('as JSON writes it', () => {
    expect(masked(['quo"ted'], '{"a":"quo\\"ted"}')).toBe('{"a":"***"}');
  });

  test('when it is not ASCII and cut within a character', () => {
    const bytes = Buffer.from('a pässwörd!');
    const mask = createSecretMask(['pässwörd']);

    const output = [...bytes].map((byte) => mask.push(Buffer.of(byte)));

    expect(Buffer.concat([...output, mask.rest()]).toString()).toBe('a ***!');
  });
});

describe('a secret that is learned on the way', () => {
  test('is hidden from then on, also when it is split over pieces', () => {
    const mask = createSecretMask(['hunter2']);

    const before = mask.push(Buffer.from('late-secret, hunt'));
    mask.learn('late-secret');
    const after = [mask.push(Buffer.from('er2, late-')), mask.push(Buffer.from('secret.')), mask.rest()];

    expect(before.toString()).toBe('late-secret, ');
    expect(Buffer.concat(after).toString()).toBe('***, ***.');
  });

  test('is hidden where a part of it was held back as the beginning of another', () => {
    const mask = createSecretMask(['late-hour']);

    const before = mask.push(Buffer.from('late-'));
    mask.learn('late-secret');
    const after = [mask.push(Buffer.from('secret')), mask.rest()];

    expect(before.toString()).toBe('');
    expect(Buffer.concat(after).toString()).toBe('***');
  });
});

test('what is no part of the stream is masked as a whole, and the stream goes on beside it', () => {
  const mask = createSecretMask(['hunter2']);

  const before = mask.push(Buffer.from('a hunt'));
  const aside = mask.masked(Buffer.from('hunter2 and hunt'));
  const after = mask.push(Buffer.from('er2.'));

  expect(aside.toString()).toBe('*** and hunt');
  expect(Buffer.concat([before, after]).toString()).toBe('a ***.');
});

test('what looks like the beginning of a secret is held back and given away when it is none', () => {
  const mask = createSecretMask(['hunter2']);

  expect(mask.push(Buffer.from('a hunt')).toString()).toBe('a ');
  expect(mask.push(Buffer.from('ing dog')).toString()).toBe('hunting dog');
});

test('empty secrets hide nothing', () => {
  expect(masked(['', ' \n'], 'as it is')).toBe('as it is');
});

test('bytes that are no text pass unchanged', () => {
  const bytes = Buffer.from([0, 255, 254, 27, 128]);
  const mask = createSecretMask(['secret']);

  expect(Buffer.concat([mask.push(bytes), mask.rest()])).toEqual(bytes);
});

test('the cuts make no difference: every byte of a secret is hidden and no other', () => {
  const letters = (options: fc.StringConstraints) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), ...options });
  const secrets = fc.array(letters({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

  fc.assert(
    fc.property(secrets, fc.array(letters({ maxLength: 8 }), { maxLength: 8 }), (known, pieces) => {
      expect(masked(known, ...pieces)).toBe(maskedAtOnce(known, pieces.join('')));
    }),
    { numRuns: 2_000 },
  );
});

function masked(secrets: readonly string[], ...pieces: readonly string[]): string {
  const mask = createSecretMask(secrets);
  const output = pieces.map((piece) => mask.push(Buffer.from(piece)));
  return Buffer.concat([...output, mask.rest()]).toString();
}

/** The same rule, written down a second time for a text that is there as a whole. */
function maskedAtOnce(secrets: readonly string[], text: string): string {
  const begins = (index: number) =>
    secrets.filter((secret) => text.startsWith(secret, index)).map(({ length }) => length);
  let output = '';
  let hiddenUntil = 0;
  for (let index = 0; index < text.length; index += 1) {
    const end = index + Math.max(0, ...begins(index));
    if (end > index && index >= hiddenUntil) output += '***';
    hiddenUntil = Math.max(hiddenUntil, end);
    if (index >= hiddenUntil) output += text.charAt(index);
  }
  return output;
}
