import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { digest } from './digest.ts';

test('a digest is 16 hexadecimal digits, the same for the same text', () => {
  expect(digest('Queued, 2 ahead')).toMatch(/^[0-9a-f]{16}$/);
  expect(digest('Queued, 2 ahead')).toBe(digest('Queued, 2 ahead'));
});

test('texts that differ have different digests', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (one, other) => (one === other) === (digest(one) === digest(other))));
});

test('many texts that differ in a few characters have as many digests', () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `["queued",null,{},[],${index}]`);

  expect(new Set(texts.map(digest)).size).toBe(texts.length);
});
