import { beforeEach, expect, test } from '@jest/globals';
import { trailFact } from '@nereid/domain/events';
import type { JobAuditEvent, TrailEvent } from '@nereid/domain/trail';
import { ForgedError } from '@nereid/signature';
import { forgedEvent } from './forged-event.ts';
import { createTrailSubscriber } from './trail-subscriber.ts';

const ERROR = new ForgedError('decision/review', 'no signature');
const BEGUN = trailFact({ id: 'j1:RUNNING', jobId: 'j1', state: 'RUNNING' } as JobAuditEvent); // Its id and state count.
const AWAY = new Error('away');

let told: TrailEvent[];
let logged: object[];

beforeEach(() => {
  [told, logged] = [[], []];
});

const logger = { error: (fields: object) => void logged.push(fields) };
const record = (event: TrailEvent) => Promise.resolve(void told.push(event));
const isAway = () => Promise.reject(AWAY);

function aSubscriber(how: typeof record = record, auditRequired = true) {
  return createTrailSubscriber({ audit: { record: how }, auditRequired, logger });
}

test('the audit trail hears of a forgery, and of a hundred in an hour at most', async () => {
  const hear = aSubscriber();

  for (let n = 0; n < 300; n += 1) await hear(forgedEvent(ERROR, `d${n}`));

  expect(told[0]).toMatchObject({ state: 'FORGED', forged: 'decision/review', about: 'd0', sentence: ERROR.message });
  expect(told.length).toBeGreaterThanOrEqual(100);
  expect(told.length).toBeLessThanOrEqual(200);
});

test('a forgery waits for no trail that is away, even if that is required', async () => {
  await aSubscriber(isAway)(forgedEvent(ERROR, 'd1'));

  expect(logged).toMatchObject([{ err: { message: 'away' } }]);
});

test('whatever else happens waits for a trail that is required, and only for that', async () => {
  await expect(async () => aSubscriber(isAway)(BEGUN)).rejects.toBe(AWAY);
  await aSubscriber(isAway, false)(BEGUN);

  expect(logged).toEqual([{ err: AWAY, event: 'j1:RUNNING' }]);
});

test('a host alone has no trail', async () => {
  const hear = createTrailSubscriber({ audit: undefined, auditRequired: true, logger });

  await hear(BEGUN);
  await hear(forgedEvent(ERROR, 'd1'));

  expect(logged).toEqual([]);
});
