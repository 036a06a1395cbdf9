import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { TrailEvent } from '@nereid/domain/trail';
import type { Audit } from './audit.ts';
import { AuditUnavailableError } from './errors.ts';
import { anEventWithId } from './fixtures/an-event.ts';
import { severalAudits } from './several-audits.ts';

/** A place that fails as long as it is told to, and says what it has. */
function aPlace(name: string, failure?: string) {
  const has: string[] = [];
  const place = { failure, has };
  const audit: Audit = {
    record({ id }: TrailEvent) {
      if (place.failure !== undefined)
        return Promise.reject(new AuditUnavailableError(id, name, { cause: { code: place.failure } }));
      has.push(id);
      return Promise.resolve();
    },
    close: () => has.push('closed'),
  };
  return { place, sink: { name, audit } };
}

test('an event is recorded once every place has it', async () => {
  const [a, b] = [aPlace('a'), aPlace('b')];
  const audit = severalAudits([a.sink, b.sink]);

  await audit.record(anEventWithId('x'));
  audit.close();

  expect([a.place.has, b.place.has]).toEqual([
    ['x', 'closed'],
    ['x', 'closed'],
  ]);
});

test('a place that is ill keeps no other from an event, and gets it when it is recorded again, alone', async () => {
  const [ill, well] = [aPlace('ill', 'ETIMEDOUT'), aPlace('well')];
  const audit = severalAudits([ill.sink, well.sink]);

  await expect(audit.record(anEventWithId('x'))).rejects.toThrow(
    'cannot record the audit event x in ill: ETIMEDOUT; record it again',
  );
  ill.place.failure = undefined;
  await audit.record(anEventWithId('x'));

  expect([ill.place.has, well.place.has]).toEqual([['x'], ['x']]);
});

test('a place that does not answer keeps the event from none, and the caller from the end', async () => {
  const well = aPlace('well');
  const silent = {
    name: 'silent',
    audit: { record: () => new Promise<void>(() => undefined), close: () => undefined },
  };
  let isRecorded = false;

  void severalAudits([silent, well.sink])
    .record(anEventWithId('x'))
    .then(() => (isRecorded = true));
  await turn();

  expect([well.place.has, isRecorded]).toEqual([['x'], false]);
});

test('several that fail are named with their reasons', async () => {
  const audit = severalAudits([aPlace('a', 'ETIMEDOUT').sink, aPlace('b', 'status 500').sink, aPlace('c').sink]);

  const failure = audit.record(anEventWithId('x'));

  await expect(failure).rejects.toThrow(AuditUnavailableError);
  await expect(failure).rejects.toThrow(
    'cannot record the audit event x in 2 of 3 places: a: ETIMEDOUT, b: status 500; record it again',
  );
});
