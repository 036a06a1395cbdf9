import { expect, test } from '@jest/globals';
import type { ForgedAuditEvent } from '@nereid/domain/trail';
import { createAuditTrail } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { packDays } from './pack-days.ts';

const FORGED: ForgedAuditEvent = {
  version: 1,
  id: 'x:FORGED',
  state: 'FORGED',
  forged: 'go',
  sentence: 'expected a signature',
  about: 'd1',
  at: '2026-11-22T23:30:00.000Z',
};

const store = storeOfEachTest();

test.each([
  ['that has been over for two hours is packed, and reads the same', '2026-11-23T02:00:00.000Z', 0],
  ['is left alone before', '2026-11-23T01:59:59.000Z', 1],
])('a day %s', async (_what, now, singles) => {
  const trail = createAuditTrail(store);
  await trail.append(FORGED.at, FORGED.id, FORGED);

  await packDays([trail], Date.parse(now));

  const keys: string[] = [];
  for await (const key of store.list('audit/')) keys.push(key);
  expect(keys).toHaveLength(singles);
  expect((await trail.read('2026-11-22')).map(({ entry }) => entry)).toEqual([FORGED]);
});
