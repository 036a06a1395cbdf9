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

  test.each([
    ['at the beginning', 'hunter2-hunter2'],
    ['after one byte', ':hunter2-hunter2'],
    ['after two bytes', 'u:hunter2-hunter2'],
    ['within other text', 'user:hunter2-hunter2@host'],
  ])('in base64, where it stands %s of what is encoded', (_where, text) => {
    const encoded = Buffer.from(text).toString('base64');

    const output = masked(['hunter2-hunter2'], `auth = ${encoded}\n`);

    expect(output).toMatch(/^auth = .{0,8}\*\*\*.{0,10}\n$/);
    expect(Buffer.from(output.slice(7).replace('***', '****'), 'base64').toString()).not.toMatch(/hun|er2/);
  });

  test('in base64 for URLs, and in the lines that base64 prints', () => {
    const secret = '?>~'.repeat(40);
    const encoded = Buffer.from(secret).toString('base64');

    expect(masked([secret], Buffer.from(secret).toString('base64url'))).toBe('***');
    expect(masked([secret], encoded.replaceAll(/.{76}/g, '$&\n'))).toBe('***\n***\n***');
  });

  test('in hexadecimal', () => {
    const hex = Buffer.from('hunter2').toString('hex');

    expect(masked(['hunter2'], `${hex} ${hex.toUpperCase()}`)).toBe('*** ***');
  });

  test.each([
    'https://h/?p=a%20b%2Fc%3D%21%C3%A9',
    'https://h/?p=a%20b%2Fc%3D!%C3%A9',
    'https://h/?p=a+b%2fc%3d%21%c3%a9',
    'https://h/?p=a%20b/c=!%C3%A9',
  ])('as URLs spell it: %s', (url) => {
    expect(masked(['a b/c=!é'], url)).toBe('https://h/?p=***');
  });

  test('as Terraform writes it in JSON', () => {
    expect(masked(['a<b>&c'], '{"a":"a\\u003cb\\u003e\\u0026c"}')).toBe('{"a":"***"}');
  });

  test('when it is not ASCII and cut within a character', () => {
    const bytes = Buffer.from('a pässwörd!');
    const mask = createSecretMask(['pässwörd']);

    const output = [...bytes].map((byte) => mask.push(Buffer.of(byte)));

    expect(Buffer.concat([...output, mask.rest()]).toString()).toBe('a ***!');
  });
});

describe('the user and the password of a URL are hidden', () => {
  test.each([
    ['https://ada:hunter2@host/path', 'https://***@host/path'],
    ['https://token@host', 'https://***@host'],
    ['git::https://a:b@host//modules?ref=v1', 'git::https://***@host//modules?ref=v1'],
    ['postgres://app:p@ss@db:5432/prod', 'postgres://***@db:5432/prod'],
    ['clone https://https://a:b@host', 'clone https://https://***@host'],
  ])('the user and the password of %s are hidden', (url, expected) => {
    expect(masked([], url)).toBe(expected);
    expect(masked([], ...inBytes(url))).toBe(expected);
  });

  test.each([
    'https://host/path@1.2.3',
    'https://host?mail=ada@example.org',
    'see https://host, or ask ada@example.org',
    '"https://host" "ada@example.org"',
    'source = "https://@host"',
  ])('but no other text: %s', (text) => {
    expect(masked([], ...inBytes(text))).toBe(text);
  });

  test('and at most 4 KiB are held back to see whether there are any', () => {
    const mask = createSecretMask([]);

    const output = mask.push(Buffer.from(`https://${'x'.repeat(10_000)}`));

    expect(output.length).toBe(10_008);
  });

  test('also while another secret is learned', () => {
    const mask = createSecretMask([]);

    const before = mask.push(Buffer.from('https://ada:hun'));
    mask.learn('a-secret');
    const after = [mask.push(Buffer.from('ter2@host')), mask.rest()];

    expect(Buffer.concat([before, ...after]).toString()).toBe('https://***@host');
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

function inBytes(ascii: string): readonly string[] {
  return Array.from(ascii);
}

test('another stream is masked beside the first one, with the secrets that are known by then', () => {
  const mask = createSecretMask(['hunter2']);
  mask.learn('late-hour');
  mask.push(Buffer.from('hun'));

  const aside = mask.aside();
  const output = ['ter2 hun', 'ter2 late', '-hour'].map((piece) => aside.push(Buffer.from(piece)));

  expect(Buffer.concat([...output, aside.rest()]).toString()).toBe('ter2 *** ***');
  expect(Buffer.concat([mask.push(Buffer.from('ter2')), mask.rest()]).toString()).toBe('***');
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

test('thousands of values are hidden as they are and as JSON has them, and in no other form', () => {
  const mask = createSecretMask(['another secret']);
  mask.learnExactly(Array.from({ length: 5_000 }, (_, index) => `value "${index}"`));
  const said = String.raw`value "7", value \"4999\", another secret, ${Buffer.from('value "7"').toString('hex')}`;

  expect(mask.masked(Buffer.from(said)).toString()).toBe(`***, ***, ***, ${Buffer.from('value "7"').toString('hex')}`);
});
