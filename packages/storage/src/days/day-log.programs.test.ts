import type { ForgedAuditEvent } from '@nereid/domain/trail';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { VersionConflictError } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { folderAndBucket } from '../objects/testing/folder-and-bucket.ts';
import { collect } from '../testing.ts';
import type { DayPlace } from './day-parts.ts';
import { createAuditTrail, type AuditTrail } from '../trail/audit-trail.ts';

const DAY = '2026-11-22';
const PACKED = `audit-packed/${DAY}.jsonl`;

describe.each(folderAndBucket())('the days of a log in %s', (_name, open) => {
  let store: ObjectStore;
  let broken: string[];
  let trail: AuditTrail;

  beforeEach(async () => {
    store = await open();
    broken = [];
    trail = createAuditTrail(store, { onBroken: (key) => broken.push(key) });
  });

  const append = (minute: number, id: string, sentence = 'x', day = DAY) =>
    trail.append(timeAt(minute, day), id, anEvent(minute, id, sentence, day));
  const idsOf = async (day = DAY) => (await trail.read(day)).map(({ id }) => id);
  const keys = () => collect(store.list('audit/'));

  test('are read newest first, and hold what happened on them by UTC', async () => {
    await append(1, 'first');
    await append(59, 'last');
    await append(30, 'between');
    await trail.append('2026-11-22T23:30:00-02:00', 'of the next', anEvent(0, 'of the next'));

    expect(await trail.read(DAY)).toEqual([
      { at: timeAt(59), id: 'last', entry: anEvent(59, 'last') },
      { at: timeAt(30), id: 'between', entry: anEvent(30, 'between') },
      { at: timeAt(1), id: 'first', entry: anEvent(1, 'first') },
    ]);
    expect(await trail.read('2026-11-23')).toMatchObject([{ at: '2026-11-23T01:30:00.000Z', id: 'of the next' }]);
    expect(await idsOf('2026-11-24')).toEqual([]);
  });

  test('hold an entry once, however often it is stored: the latest counts', async () => {
    await append(1, 'one');
    await append(1, 'one');
    expect(await keys()).toEqual(['audit/2026/11/22/20261122T100100000Z-one.json']);

    await append(2, 'one', 'once more');

    expect((await trail.read(DAY)).map(({ entry }) => entry)).toEqual([anEvent(2, 'one', 'once more')]);
  });

  test('tell apart ids that no key can have', async () => {
    const ids = ['a:b', 'a_b', 'a/b', '../a', `${'x'.repeat(300)}:SUCCESS`, `${'x'.repeat(300)}:FAILURE`];
    for (const id of ids) await append(1, id);

    expect((await idsOf()).toSorted()).toEqual(ids.toSorted());
  });

  test.each(['', 'yesterday', '+012345-01-01T00:00:00Z'])('take no entry of the time %j', async (at) => {
    await expect(trail.append(at, 'one', anEvent(1, 'one'))).rejects.toMatchObject({ code: 'INVALID_KEY' });
  });

  test.each(['2026-11', '../lanes', '2026/11/22'])('are not called %j', async (day) => {
    await expect(trail.read(day)).rejects.toMatchObject({ code: 'INVALID_KEY' });
    await expect(trail.pack(day)).rejects.toMatchObject({ code: 'INVALID_KEY' });
  });

  test('leave out what is broken or of a newer release, and say so', async () => {
    await append(1, 'whole');
    await store.put('audit/2026/11/22/20261122T100000000Z-cut.json', Buffer.from('{'));
    await store.put('audit/2026/11/22/20261122T100000000Z-newer.json', Buffer.from('{"version":2}'));

    expect(await idsOf()).toEqual(['whole']);
    expect(broken.toSorted()).toEqual([
      'audit/2026/11/22/20261122T100000000Z-cut.json',
      'audit/2026/11/22/20261122T100000000Z-newer.json',
    ]);
  });

  test('read the same when they are packed, into one object', async () => {
    for (let minute = 0; minute < 40; minute += 1) await append(minute, `event:${minute}`);
    const before = await trail.read(DAY);

    expect(await trail.pack(DAY)).toBe(40);

    expect(await keys()).toEqual([]);
    expect(await collect(store.list('audit-packed/'))).toEqual([PACKED]);
    expect(await trail.read(DAY)).toEqual(before);
    expect(await trail.pack(DAY)).toBe(0);
  });

  test.each(['single', 'packed', 'partly packed'])(
    'are read to their beginning, however long they are: %s',
    async (how) => {
      const parted = createAuditTrail(store, { partLimit: 4 });
      for (const [index, minute] of [1, 2, 3, 3, 3, 4, 5, 5, 6, 7].entries()) await append(minute, `e:${index}`);
      if (how !== 'single') await trail.pack(DAY, how === 'packed' ? 99 : 6);
      const whole = await idsOf();

      const parts: string[][] = [];
      for (let next: DayPlace | undefined, isFirst = true; isFirst || next; isFirst = false) {
        const part = await parted.readPart(DAY, next);
        parts.push(part.entries.map(({ id }) => id));
        next = part.next;
      }

      expect(parts.flat()).toEqual(whole);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(4);
      expect(await parted.readPart(DAY, { at: timeAt(2), id: '' })).toMatchObject({ entries: [{ id: 'e:0' }] });
    },
  );

  test('read again only what was stored or replaced since', async () => {
    const gets: string[] = [];
    const counting = createAuditTrail({
      ...store,
      get: (key) => {
        gets.push(key);
        return store.get(key);
      },
    });
    const singles = () => gets.splice(0).filter((key) => key !== PACKED).length;
    for (let minute = 0; minute < 3; minute += 1) await append(minute, `${minute}`);
    await counting.read(DAY);
    expect(singles()).toBe(3);

    await append(3, 'new');
    await append(1, '1', 'replaced');

    expect((await counting.read(DAY)).map(({ id }) => id)).toEqual(['new', '2', '1', '0']);
    expect(singles()).toBe(2);
    expect((await counting.read(DAY))[2]?.entry).toEqual(anEvent(1, '1', 'replaced'));
  });

  test('are packed in parts, if that is asked', async () => {
    for (let minute = 0; minute < 5; minute += 1) await append(minute, `${minute}`);

    expect(await trail.pack(DAY, 2)).toBe(2);
    expect(await keys()).toHaveLength(3);
    expect(await idsOf()).toEqual(['4', '3', '2', '1', '0']);
  });

  test('take in what comes late', async () => {
    await append(1, 'in time');
    await trail.pack(DAY);
    await append(0, 'late');
    expect(await idsOf()).toEqual(['in time', 'late']);

    expect(await trail.pack(DAY)).toBe(1);

    expect(await keys()).toEqual([]);
    expect(await idsOf()).toEqual(['in time', 'late']);
  });

  test('hold an entry once that is stored again after it was packed', async () => {
    await append(1, 'one');
    await trail.pack(DAY);
    await append(1, 'one', 'once more');
    expect((await trail.read(DAY)).map(({ entry }) => entry)).toEqual([anEvent(1, 'one', 'once more')]);

    await trail.pack(DAY);

    expect((await trail.read(DAY)).map(({ entry }) => entry)).toEqual([anEvent(1, 'one', 'once more')]);
  });

  test('lose and double nothing when packing ends before it has deleted anything', async () => {
    await append(1, 'one');
    await append(2, 'two');
    const dying = createAuditTrail({ ...store, delete: () => Promise.reject(new Error('ended by force')) });

    await expect(dying.pack(DAY)).rejects.toThrow('ended by force');
    expect(await idsOf()).toEqual(['two', 'one']);

    await trail.pack(DAY);
    expect(await idsOf()).toEqual(['two', 'one']);
    expect(await keys()).toEqual([]);
  });

  test('lose nothing when packing ends before it has written', async () => {
    await append(1, 'one');
    const dying = createAuditTrail({ ...store, put: () => Promise.reject(new Error('ended by force')) });

    await expect(dying.pack(DAY)).rejects.toThrow('ended by force');

    expect(await idsOf()).toEqual(['one']);
  });

  test('are packed by one process at a time: the other one deletes nothing', async () => {
    await append(1, 'one');
    const slow = createAuditTrail({
      ...store,
      put: async (...written) => {
        await append(2, 'two');
        await trail.pack(DAY);
        return store.put(...written);
      },
    });

    await expect(slow.pack(DAY)).rejects.toThrow(VersionConflictError);

    expect(await idsOf()).toEqual(['two', 'one']);
  });

  test('keep an entry that is replaced while it is packed', async () => {
    await append(1, 'one');
    const slow = createAuditTrail({
      ...store,
      put: async (...written) => {
        await append(1, 'one', 'replaced');
        return store.put(...written);
      },
    });

    await slow.pack(DAY);

    expect((await trail.read(DAY)).map(({ entry }) => entry)).toEqual([anEvent(1, 'one', 'replaced')]);
  });

  test('keep what packing cannot read: single objects, and lines of the packed one', async () => {
    await append(1, 'one');
    await store.put('audit/2026/11/22/20261122T100000000Z-newer.json', Buffer.from('{"version":2}'));
    await store.put(PACKED, Buffer.from('{"version":3}\n'));

    await trail.pack(DAY);

    expect(await keys()).toEqual(['audit/2026/11/22/20261122T100000000Z-newer.json']);
    expect(Buffer.from((await store.get(PACKED))?.body ?? []).toString()).toMatch(/^\{"version":3\}\n\{"version":1,/);
    expect(await idsOf()).toEqual(['one']);
  });

  test('lose an entry that is removed, before and after they are packed', async () => {
    for (const [minute, id] of ['one', 'two', 'three'].entries()) await append(minute, id);
    await trail.remove(timeAt(0), 'one');
    expect(await idsOf()).toEqual(['three', 'two']);

    await trail.pack(DAY);
    await trail.remove(timeAt(1), 'two');
    await trail.remove(timeAt(1), 'two');

    expect(await idsOf()).toEqual(['three']);
  });

  test('that have entries to pack are found, oldest first, before a day and up to a limit', async () => {
    for (const day of ['2025-12-31', '2026-11-20', '2026-11-21', DAY]) {
      await append(1, 'one', 'x', day);
      await append(2, 'two', 'x', day);
    }
    expect(await trail.daysToPack({ before: DAY, limit: 9 })).toEqual(['2025-12-31', '2026-11-20', '2026-11-21']);
    expect(await trail.daysToPack({ before: DAY, limit: 2 })).toEqual(['2025-12-31', '2026-11-20']);

    await trail.pack('2026-11-20');

    expect(await trail.daysToPack({ before: DAY, limit: 9 })).toEqual(['2025-12-31', '2026-11-21']);
    expect(await trail.daysToPack({ before: '2025-12-31', limit: 9 })).toEqual([]);
  });
});

function timeAt(minute: number, day = DAY): string {
  return `${day}T10:${String(minute).padStart(2, '0')}:00.000Z`;
}

function anEvent(minute: number, id: string, sentence = 'x', day = DAY): ForgedAuditEvent {
  return { version: 1, id, state: 'FORGED', forged: 'order', sentence, about: 'd1', at: timeAt(minute, day) };
}
