import { describe, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { deploymentUrl } from '@nereid/texts';
import { deploymentPageSubject } from '@nereid/domain/console';
import { mayRead } from './may-read.ts';

const ID = '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90';
const LANE = { owner: 'acme', name: 'infra', rootName: 'network' };
const SUBJECT = deploymentPageSubject(ID, LANE);

describe('with links', () => {
  const access = { kind: 'link', keys: [new Secret('secret')] } as const;
  const keyFrom = (from: string) =>
    new URL(deploymentUrl('https://console.example', { secret: 'secret', from }, ID, LANE)).searchParams.get('key');

  test('the link of a deployment opens it', () => {
    const key = keyFrom(new Date().toISOString());

    expect(mayRead(access, { subject: SUBJECT, key, host: 'console.example' })).toBe(true);
  });

  test('a link that is too old does not', () => {
    expect(mayRead(access, { subject: SUBJECT, key: keyFrom('2026-01-31T14:00:00.000Z'), host: 'c.example' })).toBe(
      false,
    );
  });

  test.each([undefined, '', 'x'.repeat(32), ['a', 'b']])('the key %j does not', (key) => {
    expect(mayRead(access, { subject: SUBJECT, key, host: 'console.example' })).toBe(false);
  });
});

describe('locally', () => {
  const access = { kind: 'local', hosts: ['localhost', '127.0.0.1'] } as const;

  test('nobody is asked for a key', () => {
    expect(mayRead(access, { subject: SUBJECT, key: undefined, host: '127.0.0.1:4144' })).toBe(true);
    expect(mayRead(access, { subject: SUBJECT, key: undefined, host: 'LocalHost' })).toBe(true);
  });

  test('a foreign name that points here is refused', () => {
    expect(mayRead(access, { subject: SUBJECT, key: undefined, host: 'evil.example:4144' })).toBe(false);
    expect(mayRead(access, { subject: SUBJECT, key: undefined, host: undefined })).toBe(false);
  });
});
