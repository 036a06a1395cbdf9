import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { recordFormat } from './record-format.ts';

const KEY = 'things/one.json';
const format = recordFormat<unknown>(z.object({ name: z.string().min(1), at: z.string().exactOptional() }), 2);

describe('a record', () => {
  test.each([
    ['with parts that the schema does not name', { version: 1, name: 'a', more: [1] }],
    ['of the newest version', { version: 2, name: 'a' }],
    ['with parts that JSON leaves out', { version: 1, name: 'a', at: undefined }],
  ])('%s is read again as it was encoded', (_what, record) => {
    const body = format.encode(KEY, record);

    expect(format.decode(KEY, body)).toEqual(record);
    expect(format.serialize(record)).toEqual(body);
  });

  test.each([
    ['that lacks a part', { version: 1 }, 'expected string, received undefined → at name'],
    ['of no version', { name: 'a' }, 'expected number, received undefined → at version'],
    ['of a newer version', { version: 3, name: 'a' }, 'has version 3, this release reads up to 2'],
    ['that is none', null, 'expected object, received null'],
    ['that is nothing', undefined, 'not JSON'],
    ['that JSON changes', { version: 1, name: 'a', at: Number.NaN }, 'expected string, received null → at at'],
  ])('%s is not encoded: nobody could read it', (_what, record, why) => {
    const encode = () => format.encode(KEY, record);

    expect(encode).toThrow(expect.objectContaining({ code: 'UNSTORABLE_RECORD', key: KEY }));
    expect(encode).toThrow(why);
    expect(encode).toThrow('so it was not written: what is stored stays as it is, and report this: ');
  });
});
