import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { env } from './env.ts';
import { readEnv, type EnvironmentRecord, type Variable } from './environment.ts';
import type { Secret } from './secret.ts';

const folder = folderOfEachTest();

describe('an absent variable', () => {
  test('is undefined where it is optional', () => {
    expect(valueOf(env.string('X'), {})).toBeUndefined();
  });

  test('has its default', () => {
    expect(valueOf(env.duration('X').default('10m'), {})).toBe(600_000);
  });

  test('is a problem where it is required', () => {
    expect(messageOf(env.string('X').required(), {})).toBe('expected a value, found nothing; set it');
  });
});

describe('a wrong value is an error, never an absent one', () => {
  test.each([
    [env.string('X'), '', 'expected a text, found an empty value'],
    [env.address('X').default('a:1'), '', 'expected host:port, like 127.0.0.1:4143, found an empty value'],
    [env.address('X'), '4143', 'expected host:port, like 127.0.0.1:4143, found "4143"'],
    [env.address('X'), 'host:65536', 'expected host:port, like 127.0.0.1:4143, found "host:65536"'],
    [env.server('X'), 'temporal', 'expected host:port of a server, like 127.0.0.1:7233, found "temporal"'],
    [env.server('X'), 'temporal:00', 'expected host:port of a server, like 127.0.0.1:7233, found "temporal:00"'],
    [env.url('X'), 'ftp://a', 'expected an http or https URL without credentials and query, found "ftp://a"'],
    [
      env.url('X'),
      'https://u:p@a',
      'expected an http or https URL without credentials and query, found "https://u:p@a"',
    ],
    [
      env.issuer('X'),
      'http://a',
      'expected an https URL without credentials and query, like https://nereid.example.org, found "http://a"',
    ],
    [
      env.issuer('X'),
      'https://a/:b',
      'expected an https URL without credentials and query, like https://nereid.example.org, found "https://a/:b"',
    ],
    [env.path('X'), 'data', 'expected an absolute path, found "data"'],
    ...['20', '0GB', '-1GB', '1.5GB', 'much', '20gb', '9999999GB'].map(
      (text): [Variable<number | undefined>, string, string] => [
        env.bytes('X'),
        text,
        `expected an amount of bytes, like 500MB, 20GB or 1TB, found "${text}"`,
      ],
    ),
    [env.duration('X'), '10', 'expected a duration, like 500ms, 30s, 10m, 12h or 7d, found "10"'],
    [env.integer('X', { min: 1, max: 9 }), '10', 'expected a whole number from 1 to 9, found "10"'],
    [env.integer('X', { min: 1, max: 9 }), '1e0', 'expected a whole number from 1 to 9, found "1e0"'],
    [env.flag('X'), 'yes', 'expected true or false, found "yes"'],
    [env.oneOf('X', ['json', 'pretty']), 'JSON', 'expected one of "json", "pretty", found "JSON"'],
    [env.someOf('X', ['a', 'b']), 'a,c', 'expected some of "a", "b", separated by commas, found "a,c"'],
  ])('a wrong value is an error: %#', (variable: Variable<unknown>, text, message) => {
    expect(messageOf(variable, { X: text })).toBe(message);
  });
});

describe('a right value', () => {
  test.each([
    [env.address('X'), '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    [env.address('X'), '[::1]:80', { host: '::1', port: 80 }],
    [env.server('X'), 'temporal:7233', { host: 'temporal', port: 7233 }],
    [env.url('X'), 'https://host/api/v3/', 'https://host/api/v3'],
    [env.url('X'), 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    [env.issuer('X'), 'https://a.example/', 'https://a.example'],
    [env.issuer('X'), 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    [env.path('X'), '/var/lib/../data', '/var/data'],
    [env.duration('X'), '500ms', 500],
    [env.duration('X'), '7d', 604_800_000],
    [env.bytes('X'), '500MB', 500_000_000],
    [env.bytes('X'), '2TB', 2_000_000_000_000],
    [env.integer('X', { min: 1, max: 9 }), '9', 9],
    [env.flag('X'), 'false', false],
    [env.oneOf('X', ['json', 'pretty']), 'json', 'json'],
    [env.someOf('X', ['a', 'b']), 'b, a,b', ['b', 'a']],
  ])('a right value is read as it is meant: %#', (variable: Variable<unknown>, text, value) => {
    expect(valueOf(variable, { X: text })).toEqual(value);
  });
});

describe('a secret', () => {
  test('can stand in a file, whose last line break is not part of it', async () => {
    const file = await fileWith('s3cret\n');

    expect(valueOf(env.secret('X'), { X_FILE: file })?.reveal()).toBe('s3cret');
  });

  test.each([
    ['/nowhere', 'nothing at "/nowhere"'],
    ['/', 'a directory at "/"'],
    ['/dev/null/x', 'a file where "/dev/null/x" needs a directory'],
  ])('in a file that cannot be read is a problem: %s', (file, found) => {
    expect(messageOf(env.secret('X'), { X_FILE: file })).toBe(
      `expected X_FILE to name a file that can be read, found ${found}; correct the path`,
    );
  });

  test('given twice is a problem', () => {
    expect(messageOf(env.secret('X'), { X: 'a', X_FILE: '/nowhere' })).toBe(
      'expected either X or X_FILE, found both; remove one',
    );
  });

  test('that is required says both ways to give it', () => {
    expect(messageOf(env.secret('X').required(), {})).toBe(
      'expected a value in X or in the file named by X_FILE, found nothing; set it',
    );
  });

  test('is not shown by a problem with it', () => {
    expect(messageOf(env.keys('X', 32), { X: 'c2hvcnQ=' })).toBe(
      'expected base64 of 32 bytes, several separated by line breaks, found something else (not shown)',
    );
  });

  test('shows itself only to who asks for it', () => {
    const secret = valueOf(env.secret('X'), { X: 's3cret' });

    expect([String(secret), JSON.stringify({ secret }), inspect({ secret })].join()).not.toContain('s3cret');
  });

  test('can be rotated: several, a line each', () => {
    const [newest, old] = ['n'.repeat(16), 'o'.repeat(16)];

    expect(reveal(valueOf(env.secrets('X'), { X: `${newest}\r\n\n${old}\n` }))).toEqual([newest, old]);
  });

  test('that is short is refused: whoever guesses it is taken for GitHub', () => {
    expect(messageOf(env.secrets('X'), { X: 'a' })).toContain('expected secrets of at least 16 characters');
  });

  test('of a fixed size is a key', () => {
    const key = Buffer.alloc(32, 7).toString('base64');

    expect(reveal(valueOf(env.keys('X', 32), { X: `${key}\n${key}` }))).toEqual([key, key]);
  });

  test('that seals is the first of several, or none of them', () => {
    const [newest, old] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const read = (lines: readonly string[]) => {
      const keys = valueOf(env.sealingKeys('X', 32), { X: lines.join('\n') });
      return { seals: keys?.seals?.reveal(), opens: reveal(keys?.opens) };
    };

    expect(read([`${newest}`, `${old}`])).toEqual({ seals: newest, opens: [newest, old] });
    expect(read(['none', `${newest}`])).toEqual({ seals: undefined, opens: [newest] });
    expect(messageOf(env.sealingKeys('X', 32), { X: 'none' })).toBe(
      'expected base64 of 32 bytes, several separated by line breaks, or "none" above them while nothing is to be sealed, found something else (not shown)',
    );
  });

  test('of white space is none', () => {
    expect(messageOf(env.secrets('X'), { X: ' \n ' })).toContain('one or more secrets');
  });
});

describe('a key with which we sign', () => {
  test('has at least 32 characters', () => {
    const keys = valueOf(env.signingKeys('X'), { X: `${'n'.repeat(32)}\n${'k'.repeat(32)}\n` });
    expect(keys?.map((key) => key.reveal())).toEqual(['n'.repeat(32), 'k'.repeat(32)]);
    expect(messageOf(env.signingKeys('X'), { X: `${'k'.repeat(31)}  ` })).toBe(
      'expected a secret of at least 32 characters, found a shorter one (not shown); make one with: openssl rand -base64 32',
    );
  });
});

describe('an RSA key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const passphrase = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;

  test.each([
    ['of PKCS #8', pem],
    ['of PKCS #1, as GitHub makes it', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['with line breaks that are written out', pem.replaceAll('\n', String.raw`\n`)],
  ])('an RSA key %s is read', (_title, text) => {
    expect(valueOf(env.rsaKey('X'), { X: text })?.reveal()).toBe(text);
  });

  test.each([
    ['a text', 'no key', 'something else (not shown)'],
    ['half of one', pem.slice(0, 400), 'something else (not shown)'],
    ['a public one', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'something else (not shown)'],
    ['one with a passphrase', rsa.privateKey.export(passphrase).toString(), 'something else (not shown)'],
    [
      'one of another kind',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'a key of the type ed25519',
    ],
  ])('is not %s, which is not shown', (_title, text, found) => {
    expect(messageOf(env.rsaKey('X'), { X: text })).toBe(
      `expected an RSA private key as PEM, without a passphrase, found ${found}; set X_FILE to the path of its .pem file`,
    );
  });
});

test('all problems are reported at once, with their names', () => {
  const variables = { a: env.address('A'), b: env.string('B').required(), c: env.flag('C') };

  expect(readEnv({ A: 'x', C: 'true' }, variables)).toMatchObject({
    kind: 'invalid',
    problems: [{ path: 'A' }, { path: 'B' }],
  });
});

function valueOf<T>(variable: Variable<T>, record: EnvironmentRecord): T {
  const read = readEnv(record, { variable });
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  return read.values.variable;
}

function messageOf(variable: Variable<unknown>, record: EnvironmentRecord): string | undefined {
  const read = readEnv(record, { variable });
  return read.kind === 'invalid' ? read.problems[0]?.message : undefined;
}

function reveal(secrets: readonly Secret[] | undefined): readonly string[] | undefined {
  return secrets?.map((secret) => secret.reveal());
}

async function fileWith(text: string): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, text);
  return file;
}
