import { expect, test } from '@jest/globals';
import { canariesIn } from './canaries.ts';

const CANARY = 'a/secret+of 38=characters, all in all';

test.each([
  ['as it is', `x${CANARY}y`],
  ['backwards', Array.from(CANARY).toReversed().join('')],
  ['in base64', Buffer.from(CANARY).toString('base64')],
  ['in base64 after one byte', Buffer.from(`1${CANARY}234`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`12${CANARY}34`).toString('base64')],
  ['in hexadecimal', Buffer.from(CANARY).toString('hex')],
  ['in capital hexadecimal', Buffer.from(CANARY).toString('hex').toUpperCase()],
  ['as URLs spell it', encodeURIComponent(CANARY)],
])('a canary is found %s', (_how, text) => {
  expect(canariesIn({ key: CANARY, other: 'another one' }, text)).toEqual(['key']);
});
