import { parse } from 'node:querystring';
import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '@nereid/api';
import type { Request } from 'express';
import { readQuery } from './lists.ts';

describe('the query of a list', () => {
  test('is taken with its defaults; empty fields of a form are none', () => {
    expect(read('repository=&state=idle&text=')).toEqual({ kind: 'found', value: { state: 'idle', limit: 200 } });
    expect(read('')).toMatchObject({ kind: 'found' });
  });

  test.each([
    ['limit=0', '“limit” is not understood.'],
    ['state=good', '“state” is not understood.'],
    ['state=idle&state=locked', '“state” is given more than once.'],
    ['repo=acme/infra', 'There is no filter “repo”.'],
    ['__proto__=1', 'There is no filter “__proto__”.'],
    ['constructor=1', 'There is no filter “constructor”.'],
    [`${'x'.repeat(100)}=1`, `There is no filter “${'x'.repeat(30)}”.`],
    [Array.from({ length: 10_000 }, (_, index) => `f${index}=1`).join('&'), 'at most 2000 are allowed.'],
    [Array.from({ length: 400 }, () => 'q=1').join('&'), 'There is no filter “q”.'],
    [`text=${'x'.repeat(2_001)}`, 'at most 2000 are allowed.'],
    [`cursor=${'x'.repeat(501)}`, '“cursor” is not understood.'],
  ])('is refused with a sentence that names what is wrong', (query, sentence) => {
    expect(read(query)).toMatchObject({
      kind: 'message',
      message: { status: 400, sentence: expect.stringContaining(sentence) },
    });
  });
});

function read(query: string) {
  const request = { originalUrl: `/lanes?${query}`, query: parse(query) } as unknown as Request; // All that is read of it.
  return readQuery(OPERATIONS.listLanes.query, request);
}
