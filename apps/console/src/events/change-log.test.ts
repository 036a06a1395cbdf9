import { expect, test } from '@jest/globals';
import type { Change } from './change.ts';
import { createChangeLog, type Entry } from './change-log.ts';

test('what is newer than a place is known, in order', () => {
  const log = createChangeLog();
  const start = log.lastId();
  log.publish([moved('a'), moved('b')]);
  const place = log.lastId();
  log.publish([moved('c')]);

  expect(idsOf(log.since(start))).toEqual(['a', 'b', 'c']);
  expect(idsOf(log.since(place))).toEqual(['c']);
  expect(log.since(log.lastId())).toEqual([]);
});

test('a place in another log is not known, nor one that has not been yet', () => {
  const [log, other] = [createChangeLog(), createChangeLog()];
  log.publish([moved('a')]);
  other.publish([moved('a')]);

  expect(log.since(other.lastId())).toBeUndefined();
  expect(log.since(log.lastId().replace(/1$/, '2'))).toBeUndefined();
});

test('so much is kept; a place before that is no longer known', () => {
  const log = createChangeLog();
  const start = log.lastId();
  log.publish([moved('first')]);
  const place = log.lastId();

  for (let count = 0; count < 10; count += 1) log.publish([moved('x'.repeat(500_000))]);

  expect(log.since(start)).toBeUndefined();
  expect(log.since(place)).toBeUndefined();
});

test('more than can be told at a time is told as a reset, from which everybody goes on', () => {
  const log = createChangeLog();
  const told: Entry[] = [];
  log.publish([moved('a')]);
  const place = log.lastId();
  log.listen((entries) => told.push(...entries));

  log.publish(Array.from({ length: 30 }, () => moved('x'.repeat(100_000))));
  log.publish([moved('b')]);

  expect(told.map(({ change }) => change.kind)).toEqual(['reset', 'deployment']);
  expect(log.since(place)).toBeUndefined();
  expect(idsOf(log.since(told[0]?.id ?? ''))).toEqual(['b']);
});

function moved(id: string): Change {
  return { kind: 'deployment', id, status: 'planning', lane: { owner: 'acme', name: 'infra', rootName: 'network' } };
}

function idsOf(entries: readonly Entry[] | undefined): readonly string[] {
  return (entries ?? []).map(({ change }) => (change.kind === 'deployment' ? change.id : change.kind));
}
