import { expect, test } from '@jest/globals';
import { unreadable } from './readable.ts';

const FIELDS = ['requestId', 'by'];

test('a message of this release can be read, with fields that a newer one may add', () => {
  expect(unreadable({ version: 1, requestId: 'r', by: 'ada', added: 1 }, FIELDS)).toBeUndefined();
});

test.each([
  ['nothing', undefined, 'expected an object'],
  ['null', null, 'expected an object'],
  ['another version', { version: 2, requestId: 'r', by: 'ada' }, 'expected version 1; upgrade the workers'],
  ['a field that is missing', { version: 1, requestId: 'r' }, 'expected a text as by'],
])('%s cannot, and says why', (_what, message, why) => {
  expect(unreadable(message, FIELDS)).toBe(why);
});
