import { describe, expect, test } from '@jest/globals';
import type { Progress } from '../../../deployment/progress.ts';
import { aLock, aPlan } from '../../../testing/samples.ts';
import { bytesOf } from '../../../bytes.ts';
import { newLane, type LaneState } from './lane-state.ts';
import { UNTOLD_LIMIT } from './ended.ts';
import { end, pop } from './running.ts';
import { receive } from '../requests/receive.ts';
import { UNDEPLOYED_LIMIT } from './undeployed.ts';
import { fromRecord, joinRecord, toRecord } from './record.ts';
import { aLargeSummary, anUnlock, aRecord, aRequest, deploymentAt, NOW, REPOSITORY, shaAt } from '../../../testing.ts';
import { unlock } from '../requests/unlock.ts';

const LATER = '2026-01-31T15:00:00.000Z';

const manual = { trigger: 'manual', requestedBy: 'bob' } as const;
const running = pop(receive(newLane, aRequest(1), 'one', NOW), NOW);
const lifting = anUnlock();

const progressOf = (status: Progress['status']): Progress => ({ status, times: { [status]: LATER }, jobs: {} });

describe('the record of a lane', () => {
  const writer = { runId: 'run', sequence: 1 };
  const frame = { repository: REPOSITORY, rootName: 'network', writer, untold: [], isRecorded: () => true };

  test('gives back the lane exactly as it stood, but for what ended', () => {
    const ended = end(running, progressOf('succeeded'), LATER);
    const unlocked = unlock({ ...ended, lock: aLock() }, lifting, NOW);
    const left = end(pop(receive(unlocked, aRequest(3), 'three', NOW), NOW), progressOf('plan-failed'), LATER);
    const busy = pop(receive(receive(left, aRequest(9, manual), 'nine', NOW), aRequest(4), 'four', NOW), NOW);

    expect(fromRecord(toRecord(busy, frame))).toEqual({ ...busy, ended: [] });
  });

  test('keeps what ended until everybody was told', () => {
    const ended = end(running, progressOf('succeeded'), LATER);

    expect(fromRecord(toRecord(ended, { ...frame, untold: ended.ended })).ended).toEqual(ended.ended);
  });

  test('fits into a message with all that can wait and as much as can have ended, the last ones for certain', () => {
    const failure = { body: { summary: 'Failed', lines: Array.from({ length: 60 }, () => 'é'.repeat(500)) } };
    const progress = { ...progressOf('apply-failed'), plan: aPlan({ summary: aLargeSummary() }), failure };
    const ended = Array.from({ length: UNTOLD_LIMIT }, (_, index) => deploymentAt(index, { progress }));
    const full = Array.from({ length: 1_100 }, (_, index) => index).reduce<LaneState>(
      (state, index) => receive(state, aRequest(index), `00000000-0000-4000-8000-${index}`, NOW),
      { ...newLane, running: deploymentAt(0, { progress }) },
    );
    const seen = Array.from({ length: 500 }, (_, index) => shaAt(index));
    const [title, reason] = ['桜'.repeat(200), '桜'.repeat(200)];
    const undeployed = Array.from({ length: UNDEPLOYED_LIMIT }, (_, index) => ({
      ...{ deploymentId: shaAt(index), revision: { sha: shaAt(index), position: index, title }, at: LATER, reason },
      ...({ trigger: 'merge', rerun: false, requestedBy: 'alice', status: 'plan-failed' } as const),
    }));
    const state = {
      ...full,
      ended,
      undeployed,
      seen: { requestIds: seen.map((sha) => `${sha}:${sha}`), merges: seen },
    };

    const record = toRecord(state, { ...frame, untold: ended });

    expect(record.merged.length).toBeGreaterThan(900);
    // The limit is 2 MiB; what is carried on beside the record has the rest.
    expect(bytesOf(record)).toBeLessThan(1_750_000);
    expect(record.ended?.length).toBeGreaterThan(75);
    expect(record.ended?.at(-1)).toMatchObject({
      id: ended.at(-1)?.id,
      progress: { plan: { made: { body: { summary: { create: 1 } } } } },
    });
  });

  test('of a lane that never did anything holds nothing', () => {
    expect(toRecord(newLane, frame)).toEqual({ ...aRecord(), writer: frame.writer });
  });

  describe('of another writer is joined:', () => {
    test('a lock that was lifted here stays lifted, and what either lifted is known', () => {
      const lock = aLock();
      const lifted = { ...aLock('failed'), unlock: anUnlock({ by: 'dave' }), liftedAt: LATER };
      const state = unlock({ ...newLane, lock }, lifting, NOW);

      const joined = joinRecord(state, aRecord({ lock, lifted: [lifted] }));

      expect(joined.lock).toBeUndefined();
      expect(joined.lifted.map(({ unlock: { body } }) => body.by)).toEqual(['carol', 'dave']);
      expect(joinRecord(joined, aRecord({ lock: aLock('outcome-unknown') })).lock?.kind).toBe('outcome-unknown');
    });

    test('a lifted lock that both writers know is known once', () => {
      const lifted = ['carol', 'dave'].map((by, index) => ({
        ...{ ...aLock(), deploymentId: String(index) },
        ...{ unlock: anUnlock({ by }), liftedAt: LATER },
      }));

      expect(joinRecord({ ...newLane, lifted }, aRecord({ lifted: lifted.slice(0, 1) })).lifted).toEqual(lifted);
    });

    const latest = (at: string) =>
      ({ deploymentId: at, revision: at, trigger: 'merge', status: 'succeeded', at }) as const;

    test.each([
      ['ours', latest(LATER), latest(NOW), LATER],
      ['theirs', latest(NOW), latest(LATER), LATER],
      ['the only one (ours)', latest(NOW), undefined, NOW],
      ['the only one (theirs)', undefined, latest(NOW), NOW],
    ])('the later latest is true, %s', (_whose, ours, theirs, expected) => {
      const joined = joinRecord({ ...newLane, latest: ours }, aRecord(theirs && { latest: theirs }));

      expect(joined.latest?.at).toBe(expected);
    });

    test('what runs or has ended there waits here no more', () => {
      const waiting = [aRequest(1), aRequest(2), aRequest(3)].reduce<LaneState>(
        (state, request, index) => receive(state, request, String(index + 1), NOW),
        newLane,
      );
      const record = aRecord({ running: deploymentAt(2), ended: [deploymentAt(1)] });

      const joined = joinRecord(waiting, record);

      expect(joined.running?.id).toBe('2');
      expect(joined.ended.map(({ id }) => id)).toEqual(['1']);
      expect(joined.queue.merged.map(({ id }) => id)).toEqual(['3']);
    });

    test('what waits there waits here, in the order of the branch and once, unless it was seen', () => {
      const one = receive(newLane, aRequest(2), 'known', NOW);
      const over = end(pop(receive(one, aRequest(0), 'over', NOW), NOW), progressOf('succeeded'), LATER);
      const merged = [deploymentAt(0), deploymentAt(1), { ...deploymentAt(2), id: 'known' }, deploymentAt(3)];

      const joined = joinRecord(over, aRecord({ merged }));

      expect(joined.queue.merged.map(({ id }) => id)).toEqual(['1', 'known', '3']);
      expect(receive(joined, aRequest(3), 'again', NOW)).toBe(joined);
    });

    test('what runs there and has ended here is over; where something else runs here, it waits', () => {
      const record = aRecord({ running: deploymentAt(7) });
      const over = { ...newLane, ended: [deploymentAt(7)] };

      expect(joinRecord(over, record).running).toBeUndefined();
      expect(joinRecord(running, record)).toMatchObject({
        running: { id: 'one' },
        queue: { merged: [{ id: '7', progress: { status: 'queued' } }] },
      });
    });

    test('a lock that either knows holds, and what ran there still runs', () => {
      const record = aRecord({ lock: aLock(), running: deploymentAt(1) });

      expect(joinRecord(newLane, record)).toMatchObject({ lock: aLock(), running: { id: '1' } });
      expect(joinRecord({ ...running, lock: aLock('failed') }, record)).toMatchObject({
        lock: { kind: 'failed' },
        running: { id: 'one' },
      });
    });
  });
});
