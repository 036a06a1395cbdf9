import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Deliveries } from '@nereid/forge';
import { isDue, redeliverWebhooks } from './redeliver-webhooks.ts';

const FIRST = '2026-01-31T14:00:00.000Z';

test.each([
  ['the first time at once', FIRST, '2026-01-31T14:00:01.000Z', true],
  ['not right after that', '2026-01-31T14:10:00.000Z', '2026-01-31T14:15:00.000Z', false],
  ['after twice the earlier time', '2026-01-31T14:10:00.000Z', '2026-01-31T14:20:00.000Z', true],
  ['rarely at last', '2026-01-31T20:00:00.000Z', '2026-02-01T01:00:00.000Z', false],
])('a webhook is sent again %s', (_when, lastAt, now, isIt) => {
  expect(isDue({ firstAt: FIRST, lastAt }, Date.parse(now))).toBe(isIt);
});

test('a webhook that the forge has forgotten holds up no other', async () => {
  const webhook = (id: number) => ({ id, guid: `guid-${id}`, event: 'push', firstAt: FIRST, lastAt: FIRST });
  const deliveries: Deliveries = {
    failedSince: () => Promise.resolve([webhook(1), webhook(2)]),
    redeliver: (id) => Promise.resolve(id !== 1),
  };

  const sent = await redeliverWebhooks({ deliveries, logger: pino({ level: 'silent' }) }, Date.parse(FIRST) + 1);

  expect(sent).toEqual(['sent again: push guid-2']);
});
