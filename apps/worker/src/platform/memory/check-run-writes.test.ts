import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckRunRef } from '@nereid/domain/deployment';
import { createCheckRunWrites, type CheckRunWrites } from './check-run-writes.ts';

const CREATED: readonly CheckRunRef[] = [{ id: 1, completed: false }];
const NEW = { id: 'd1', checkRuns: [] };
const OTHER = { id: 'd2', checkRuns: [] };

let now: number;
let writes: CheckRunWrites;

beforeEach(() => {
  now = 1_000;
  writes = createCheckRunWrites({ now: () => now });
});

const create = (deployment = NEW) => writes.inTurn(deployment, false, async () => CREATED);

/** What a write that comes now is told: what is known, and whether to look for more. */
function toldTo(deployment: { readonly id: string; readonly checkRuns: readonly CheckRunRef[] }, isUncertain = true) {
  return new Promise((resolve) => {
    void writes.inTurn(deployment, isUncertain, async (...told) => (resolve(told), CREATED));
  });
}

describe('writes of check runs', () => {
  test('of one deployment come one after the other, whoever asks', async () => {
    const order: string[] = [];
    const first = Promise.withResolvers<readonly CheckRunRef[]>();
    const one = writes.inTurn(NEW, false, () => (order.push('first begins'), first.promise));
    const two = writes.inTurn(NEW, false, async () => (order.push('second begins'), CREATED));
    await writes.inTurn(OTHER, false, async () => (order.push('another deployment'), CREATED));

    order.push('first ends');
    first.resolve(CREATED);
    await Promise.all([one, two]);

    expect(order).toEqual(['first begins', 'another deployment', 'first ends', 'second begins']);
  });

  test('go on after one that failed', async () => {
    const failed = writes.inTurn(NEW, false, () => Promise.reject(new Error('GitHub is away')));
    const next = create();

    await expect(failed).rejects.toThrow('GitHub is away');
    expect(await next).toBe(CREATED);
  });
});

describe('a check run that may have been created', () => {
  test('is known where it was created here within the minute: nobody looks for it', async () => {
    await create();

    expect(await toldTo(NEW)).toEqual([{ refs: CREATED, areOurs: true }, false]);
  });

  test('is looked for after that: another worker may have written it', async () => {
    await create();
    now += 61_000;

    expect(await toldTo(NEW)).toEqual([{ refs: [], areOurs: true }, true]);
  });

  test('is looked for where the last write failed: nobody knows what came of that', async () => {
    await create();
    await writes.inTurn(NEW, false, () => Promise.reject(new Error('GitHub is away'))).catch(() => undefined);

    expect(await toldTo(NEW)).toEqual([{ refs: [], areOurs: true }, true]);
  });

  test('is that of its own deployment only', async () => {
    await create();

    expect(await toldTo(OTHER)).toEqual([{ refs: [], areOurs: true }, true]);
  });

  test('is not what was created here, where somebody knows newer ones', async () => {
    await create();
    const newer = [{ id: 7, completed: false }];

    expect(await toldTo({ id: 'd1', checkRuns: newer })).toEqual([{ refs: newer, areOurs: false }, true]);
  });
});

test('a check run that nobody can have created is not looked for', async () => {
  expect(await toldTo(NEW, false)).toEqual([{ refs: [], areOurs: true }, false]);
});

describe('a check run that came through Temporal', () => {
  const SENT = { id: 'd1', checkRuns: CREATED };

  test('is ours where it was written here, for good', async () => {
    await create();
    now += 61_000;

    expect(await toldTo(SENT, false)).toEqual([{ refs: CREATED, areOurs: true }, false]);
  });

  test('is anybody’s where it was not', async () => {
    expect(await toldTo(SENT, false)).toEqual([{ refs: CREATED, areOurs: false }, false]);
  });

  test('is not ours because another one of its deployment is, or because it is of another deployment', async () => {
    await create();
    const more = [...CREATED, { id: 7, completed: false }];

    expect(await toldTo({ id: 'd2', checkRuns: CREATED }, false)).toMatchObject([{ areOurs: false }, false]);
    expect(await toldTo({ id: 'd1', checkRuns: more }, false)).toMatchObject([{ areOurs: false }, false]);
  });
});
