import { expect, test } from '@jest/globals';
import type { ForgedAuditEvent } from '@nereid/domain/trail';
import { ForgedError } from '@nereid/signature';
import { pino } from 'pino';
import { createForgedTrail } from './forged-trail.ts';

const ERROR = new ForgedError('decision/review', 'no signature');
const logger = pino({ level: 'silent' });

test('the audit trail hears of a forgery, and of a hundred in an hour at most', () => {
  const told: ForgedAuditEvent[] = [];
  const record = async (event: object) => void told.push(event as ForgedAuditEvent); // It is told of nothing else.
  const recordForged = createForgedTrail({ record }, logger);

  for (let n = 0; n < 300; n += 1) recordForged(ERROR, `d${n}`);

  expect(told[0]).toMatchObject({ state: 'FORGED', forged: 'decision/review', about: 'd0', sentence: ERROR.message });
  expect(told.length).toBeGreaterThanOrEqual(100);
  expect(told.length).toBeLessThanOrEqual(200);
});

test('a trail that is away changes nothing, and neither does none', async () => {
  const logged = Promise.withResolvers<unknown>();
  const error = (fields: object) => {
    logged.resolve(fields);
  };
  createForgedTrail({ record: () => Promise.reject(new Error('away')) }, { error })(ERROR, 'd1');
  createForgedTrail(undefined, { error })(ERROR, 'd1');

  expect(await logged.promise).toMatchObject({ err: { message: 'away' } });
});
