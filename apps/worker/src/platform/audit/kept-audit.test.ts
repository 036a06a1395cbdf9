import { expect, test } from '@jest/globals';
import type { ForgedAuditEvent, JobAuditEvent } from '@nereid/domain/trail';
import { keptAudit, timeOf } from './kept-audit.ts';

const AT = '2026-11-22T10:00:00.000Z';
const NOW = new Date('2026-11-22T12:00:00.000Z');
const FORGED: ForgedAuditEvent = {
  version: 1,
  id: 'x:FORGED',
  state: 'FORGED',
  forged: 'go',
  sentence: 'expected a signature',
  about: 'd1',
  at: AT,
};

test('an event is kept by its time and id', async () => {
  const kept: string[] = [];
  const append = (at: string, id: string) => Promise.resolve(void kept.push(`${at} ${id}`));

  await keptAudit({ append }).record(FORGED);

  expect(kept).toEqual([`${AT} x:FORGED`]);
});

test('an event that cannot be kept is one that failed', async () => {
  const append = () => Promise.reject(new Error('the storage is away'));

  await expect(keptAudit({ append }).record(FORGED)).rejects.toThrow('the storage is away');
});

test('an event is of the time when it happened, never of one that is still to come', () => {
  const apply = { jobId: 'j1', startedAt: AT } as JobAuditEvent; // The rest of an event says nothing of its time.

  expect(timeOf(apply, NOW)).toBe(AT);
  expect(timeOf({ ...apply, endedAt: '2026-11-22T11:00:00.000Z' }, NOW)).toBe('2026-11-22T11:00:00.000Z');
  for (const endedAt of ['2999-01-01T00:00:00.000Z', 'soon']) {
    expect(timeOf({ ...apply, endedAt }, NOW)).toBe(NOW.toISOString());
  }
});
