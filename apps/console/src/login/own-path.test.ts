import { describe, expect, test } from '@jest/globals';
import { ownPath } from './own-path.ts';

describe('after a login, a person goes back', () => {
  test.each(['/', '/lanes?state=failed', '/lanes/acme/infra/network', '/deployments/1?lane=acme%2Finfra%2Fnetwork'])(
    'a login leads back to a page of ours: %s',
    (path) => {
      expect(ownPath(path)).toBe(path);
    },
  );

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5Cevil.example',
    '/%2Fevil.example',
    '/%2fevil.example/..',
    '/\t/evil.example',
    '/%09/evil.example',
    '/lanes/%0d%0aset-cookie:a=b',
    '/.//evil.example',
    '/lanes/..//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    'lanes',
    '',
    '/%',
    `/${'a'.repeat(3_000)}`,
    undefined,
    ['/lanes', '/lanes'],
  ])('a login never leads to %j', (path) => {
    expect(ownPath(path)).toBeUndefined();
  });
});
