import { expect, test } from '@jest/globals';
import { walkBack, type Entry, type Place, type Walk } from './walk-back.ts';

const NEWEST = { at: '2026-11-22T23:59:59.999Z', id: '' };
const ALWAYS = '2020-01-01T00:00:00.000Z';

test('pages end where the limit is, and the next one goes on there', async () => {
  const entries = ['2026-11-22T10:00:00.000Z', '2026-11-22T09:00:00.000Z', '2026-11-20T09:00:00.000Z'].map(anEntry);

  const first = await walk(entries, { limit: 2 });
  const second = await walk(entries, { limit: 2, before: first.next ?? NEWEST });

  expect(first.items.map(({ entry }) => entry)).toEqual([0, 1]);
  expect(second.items.map(({ entry }) => entry)).toEqual([2]);
});

test('of several at the same moment none is left out, and none comes twice', async () => {
  const at = '2026-11-22T10:00:00.000Z';
  const entries = ['c', 'b', 'a'].map((id, entry) => ({ at, id, entry }));

  const first = await walk(entries, { limit: 1 });
  const rest = await walk(entries, { limit: 9, before: first.next ?? NEWEST });

  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

test('an entry that came since does not move the next page', async () => {
  const entries = ['2026-11-22T10:00:00.000Z', '2026-11-22T09:00:00.000Z'].map(anEntry);
  const first = await walk(entries, { limit: 1 });

  const newer = { at: '2026-11-22T11:00:00.000Z', id: 'new', entry: 9 };
  const second = await walk([newer, ...entries], { limit: 9, before: first.next ?? NEWEST });

  expect(second.items.map(({ entry }) => entry)).toEqual([1]);
});

test('a page that finds nothing in a month says where to go on', async () => {
  const found = await walk([anEntry('2026-09-01T10:00:00.000Z', 7)], {});

  expect(found).toEqual({ items: [], next: { at: '2026-10-23T00:00:00.000Z', id: '' } });
  expect((await walk([anEntry('2026-10-01T10:00:00.000Z', 7)], { before: found.next ?? NEWEST })).items).toHaveLength(
    1,
  );
});

test('nothing before the beginning is read, and then there is no next page', async () => {
  const days: string[] = [];
  const read = (day: string) => {
    days.push(day);
    return Promise.resolve({ entries: [] });
  };

  const walked = await walkBack({ ...aWalk([]), read, from: '2026-11-21T12:00:00.000Z' });

  expect(walked).toEqual({ items: [] });
  expect(days).toEqual(['2026-11-22', '2026-11-21']);
});

test('a day of several parts is walked to its beginning, and beyond what anybody reads, the page says where to go on', async () => {
  const [ten, nine] = ['2026-11-22T10:00:00.000Z', '2026-11-22T09:00:00.000Z'];
  const parts = (next: string | undefined) => async (_day: string, before?: Place) =>
    before === undefined
      ? { entries: [anEntry(ten, 0)], next: { at: nine, id: '' } }
      : {
          entries: [anEntry('2026-11-22T08:00:00.000Z', 1)],
          ...(next !== undefined && { next: { at: next, id: '' } }),
        };
  const from = '2026-11-22T00:00:00.000Z';

  expect((await walkBack({ ...aWalk([]), read: parts(undefined), from })).items).toHaveLength(2);
  const endless = await walkBack({ ...aWalk([]), read: parts(nine), wanted: () => false, from });
  expect(endless).toEqual({ items: [], next: { at: nine, id: '' } });
});

test('a walk that is over says where to go on: at the day that was not read, or at its beginning', async () => {
  const entries = ['2026-11-22T10:00:00.000Z', '2026-11-21T09:00:00.000Z'].map(anEntry);
  let looks = 0;

  const first = await walk(entries, { isOver: () => (looks += 1) > 1 });
  const none = await walk(entries, { isOver: () => true });

  expect(first).toMatchObject({ items: [{ entry: 0 }], next: { at: '2026-11-22T00:00:00.000Z', id: '' } });
  expect(none).toEqual({ items: [], next: NEWEST });
});

function walk(entries: readonly Entry<number>[], changes: Partial<Walk<number>>) {
  return walkBack({ ...aWalk(entries), ...changes });
}

function aWalk(entries: readonly Entry<number>[]): Walk<number> {
  const read = (day: string) => Promise.resolve({ entries: entries.filter(({ at }) => at.startsWith(day)) });
  return { read, wanted: () => true, before: NEWEST, from: ALWAYS, limit: 10 };
}

function anEntry(at: string, index: number): Entry<number> {
  return { at, id: `id-${index}`, entry: index };
}
