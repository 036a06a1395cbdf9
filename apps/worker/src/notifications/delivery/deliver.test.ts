import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { describeDestination, type Notification } from '@nereid/domain/notification';
import type { Answer, Sender } from '@nereid/notifications';
import { createOutbox, type Outbox } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { deliver } from './deliver.ts';
import { HeldBack } from './held-back.ts';
import type { DeliverTools } from './turn.ts';

const OPS: ServerConfig['notifications'][number] = {
  name: 'ops',
  target: { kind: 'webhook', url: 'https://hooks.example.org', secretFile: '/s' },
  when: ['failed'],
  repositories: [],
  roots: [],
};

const DELIVERED: Answer = { kind: 'delivered' };
const HOUR_MS = 3_600_000;

const store = storeOfEachTest();
let outbox: Outbox;
let nowMs: number;
let sent: string[];
let counted: string[];
let warned: string[];

beforeEach(() => {
  outbox = createOutbox(store);
  nowMs = Date.parse('2026-11-22T10:00:00.000Z');
  [sent, counted, warned] = [[], [], []];
});

function tools(changes: Partial<DeliverTools> = {}): DeliverTools {
  return {
    outbox,
    logger: { warn: (_fields: object, message?: string) => void warned.push(message ?? '') },
    onDelivery: (_destination, result) => void counted.push(result),
    onOldest: () => undefined,
    workerId: 'w1',
    paceMs: 0,
    now: () => nowMs,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** Answers in this order, then that all is well. */
function answering(...answers: readonly Answer[]): Sender {
  const left = [...answers];
  return sending(({ id }) => {
    sent.push(id);
    return Promise.resolve(left.shift() ?? DELIVERED);
  });
}

function sending(send: Sender['send']): Sender {
  return { send, subjectOf: ({ id }) => id };
}

function aNotification(id: string): Notification {
  return { version: 1, id, type: 'failed', at: new Date(nowMs).toISOString(), sentence: 'Failed', links: {} };
}

async function keep(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    nowMs += 1;
    await outbox.keep('ops', aNotification(id), new Date(nowMs));
  }
}

const waiting = async () => (await outbox.listWaiting('ops', 100)).length;
const stateOf = async () => (await outbox.readState('ops'))?.state;

test('notifications are delivered in order, and those that come meanwhile after them', async () => {
  await keep('a', 'b');
  const send = sending(async (notification, context) => {
    if (notification.id === 'a') await keep('c');
    return answering().send(notification, context);
  });

  await deliver(OPS, send, tools());

  expect(sent).toEqual(['a', 'b', 'c']);
  expect(await waiting()).toBe(0);
  expect(counted).toEqual(['delivered', 'delivered', 'delivered']);
});

test('nothing is read but a list while nothing waits', async () => {
  const onlyLists = { listWaiting: () => Promise.resolve([]) } as unknown as Outbox; // Anything else would throw.

  expect(await deliver(OPS, answering(), tools({ outbox: onlyLists }))).toBe(60_000);
});

test('a failure holds up the ones behind it, which wait for the pause that the destination asks for', async () => {
  await keep('a', 'b');
  const send = answering({ kind: 'later', reason: 'answered 429', retryAfterMs: 90_000 });

  expect(await deliver(OPS, send, tools())).toBe(90_000);
  nowMs += 30_000;
  expect(await deliver(OPS, send, tools())).toBe(60_000);
  nowMs += 60_000;
  await deliver(OPS, send, tools());

  expect(sent).toEqual(['a', 'a', 'b']);
  expect((await stateOf())?.failing).toBeUndefined();
});

describe('a destination with several queues', () => {
  /** The first letter of an id names its queue; `sick` ones are limited. */
  const queued = (sick: ReadonlySet<string>): Sender => ({
    ...sending(({ id }) => {
      sent.push(id);
      const later = { kind: 'later', reason: 'answered 403', retryAfterMs: 90_000 } as const;
      return Promise.resolve(sick.has(id.slice(0, 1)) ? later : DELIVERED);
    }),
    queueOf: ({ id }) => id.slice(0, 1),
  });

  test('delivers what is about others while one takes nothing, and tries that again after its pause', async () => {
    const sick = new Set(['a']);
    await keep('a1', 'b1', 'a2', 'b2');

    expect(await deliver(OPS, queued(sick), tools())).toBe(60_000);
    expect(sent).toEqual(['a1', 'b1', 'b2']);
    expect(await stateOf()).toMatchObject({ failing: { attempts: 1 }, failingQueues: { a: { attempts: 1 } } });

    nowMs += 60_000;
    await keep('b3');
    expect(await deliver(OPS, queued(sick), tools())).toBeLessThan(30_000);
    expect(sent).toEqual(['a1', 'b1', 'b2', 'b3']);

    nowMs += 60_000;
    sick.clear();
    await deliver(OPS, queued(sick), tools());
    expect(sent).toEqual(['a1', 'b1', 'b2', 'b3', 'a1', 'a2']);
    expect(await waiting()).toBe(0);
    expect(await stateOf()).not.toHaveProperty('failing');
    expect(await stateOf()).not.toHaveProperty('failingQueues');
  });

  test('is stuck when one of them has failed for an hour, whatever the others take', async () => {
    await keep('a1');
    for (let tries = 0; tries < 50; tries += 1) {
      await keep(`b${tries}`);
      await deliver(OPS, queued(new Set(['a'])), tools());
      nowMs += 90_000;
    }

    const { kind, sentence } = describeDestination('ops', await stateOf());
    expect(kind).toBe('stuck');
    expect(sentence).toContain('it has taken none about a since 2026-11-22T10:00:00');
  });

  test('reads what waits for a queue once in its pause', async () => {
    await keep('a1', 'a2', 'a3');
    const heldBack = new HeldBack();
    const reads: string[] = [];
    const counting: Outbox = { ...outbox, read: (each) => (reads.push(each.digest), outbox.read(each)) };
    const round = () => deliver(OPS, queued(new Set(['a'])), tools({ outbox: counting }), heldBack);

    await round();
    nowMs += 30_000;
    await round();
    expect(reads).toHaveLength(3);

    nowMs += 60_000;
    await round();
    expect(reads).toHaveLength(6);
  });
});

test('a refusal is said, set aside and holds up nothing; sent again, it is delivered', async () => {
  await keep('a', 'b');
  await deliver(OPS, answering({ kind: 'refused', reason: 'answered 404' }), tools());
  expect(sent).toEqual(['a', 'b']);
  expect(counted).toEqual(['refused', 'delivered']);

  await outbox.sendAgain('ops', 100, new Date(nowMs));
  await deliver(OPS, answering(), tools());

  expect(sent).toEqual(['a', 'b', 'a']);
});

test('the same event, published again by another attempt, is delivered once', async () => {
  await keep('a', 'a');
  await deliver(OPS, answering(), tools());
  await keep('a');
  await deliver(OPS, answering(), tools());

  expect(sent).toEqual(['a']);
  expect(await waiting()).toBe(0);
});

test('while one worker delivers, another one leaves the destination alone', async () => {
  await keep('a');
  const other = sending(async (notification, context) => {
    expect(await deliver(OPS, answering(), tools({ workerId: 'w2' }))).toBe(5_000);
    return answering().send(notification, context);
  });

  await deliver(OPS, other, tools());

  expect(sent).toEqual(['a']);
});

test('a worker that is killed after it has sent costs one more attempt with the same id, a minute later', async () => {
  await keep('a', 'b');
  const killed = sending(({ id }) => {
    sent.push(id);
    return Promise.reject(new Error('as a kill: nothing of it is stored'));
  });
  await expect(deliver(OPS, killed, tools())).rejects.toThrow('as a kill');

  expect(await deliver(OPS, answering(), tools({ workerId: 'w2' }))).toBe(5_000);
  nowMs += 60_000;
  await deliver(OPS, answering(), tools({ workerId: 'w2' }));

  expect(sent).toEqual(['a', 'a', 'b']);
});

test('an operator reads once that a destination has failed for an hour, and once when it began', async () => {
  await keep('a');
  const fails = sending(() => Promise.resolve({ kind: 'later', reason: 'answered 500' }));
  for (let n = 0; n < 30; n += 1) nowMs += await deliver(OPS, fails, tools());

  expect(nowMs).toBeGreaterThan(Date.parse('2026-11-22T12:00:00.000Z'));
  expect(warned).toEqual([
    'a destination takes no notifications for now: it is tried again',
    'a destination has taken no notification for an hour: an operator has to look at it',
  ]);
});

test('what has waited for a day is dropped, counted and said', async () => {
  await keep('a', 'b');
  nowMs += 24 * HOUR_MS;

  await deliver(OPS, answering(), tools());

  expect(sent).toEqual(['b']);
  expect(counted).toEqual(['dropped', 'delivered']);
  expect(await stateOf()).toMatchObject({ dropped: 1 });
  expect(warned).toEqual(['notifications are dropped: too many, or too old']);
});

test('the state of a destination is written once a second at most, however many are delivered', async () => {
  await keep(...Array.from({ length: 20 }, (_, n) => `n${n}`));
  let writes = 0;
  const counting: Outbox = {
    ...outbox,
    writeState: (...args) => {
      writes += 1;
      return outbox.writeState(...args);
    },
  };

  await deliver(OPS, answering(), tools({ outbox: counting, paceMs: 1_000 }));

  expect(sent).toHaveLength(20);
  // Two, unless the machine is busy.
  expect(writes).toBeLessThan(10);
});

test('a note is stored before the next notification, so that a kill costs no thread', async () => {
  await keep('a', 'b');
  const notes: unknown[] = [];
  const send = sending(async ({ id }) => {
    notes.push((await stateOf())?.notes);
    return { kind: 'delivered', note: `thread of ${id}` };
  });

  await deliver(OPS, send, tools({ paceMs: 50 }));

  expect(notes).toEqual([[], [{ about: 'a', text: 'thread of a' }]]);
});

test('a note is stored before its notification is removed, so that a kill leaves no alert open', async () => {
  await keep('a');
  const removals: unknown[] = [];
  const watched: Outbox = {
    ...outbox,
    async remove(waiting) {
      removals.push((await stateOf())?.notes);
      await outbox.remove(waiting);
    },
  };
  const send = sending(({ id }) => Promise.resolve({ kind: 'delivered', note: `thread of ${id}` }));

  await deliver(OPS, send, tools({ outbox: watched }));

  expect(removals).toEqual([[{ about: 'a', text: 'thread of a' }]]);
});

test('a stop ends the round after the attempt that is under way, and leaves the turn to others', async () => {
  await keep('a', 'b');
  const stopping = new AbortController();
  const send = sending((notification, context) => {
    stopping.abort();
    return answering().send(notification, context);
  });

  await deliver(OPS, send, tools({ signal: stopping.signal }));
  await deliver(OPS, answering(), tools({ workerId: 'w2' }));

  expect(sent).toEqual(['a', 'b']);
});

describe('what is over by itself', () => {
  const OVER = '2026-11-22T12:00:00.000Z';
  let ended: string[];

  beforeEach(() => {
    ended = [];
  });

  function ending(...answers: readonly Answer[]): Sender {
    const left = [...answers];
    return {
      ...sending(() => Promise.resolve({ kind: 'delivered', note: OVER })),
      ending: {
        isDue: (note, atMs) => note !== '' && Date.parse(note) <= atMs,
        end(subject) {
          ended.push(subject);
          return Promise.resolve(left.shift() ?? DELIVERED);
        },
      },
    };
  }

  test('is ended once, at its time, also while nothing waits', async () => {
    await keep('a');
    await deliver(OPS, ending(), tools());
    await deliver(OPS, ending(), tools());
    expect(ended).toEqual([]);

    nowMs = Date.parse(OVER);
    for (let round = 0; round < 3; round += 1) await deliver(OPS, ending(), tools());

    expect(ended).toEqual(['a']);
    expect((await stateOf())?.notes).toEqual([]);
    expect((await stateOf())?.holder).toBeUndefined();
  });

  test('is ended by another attempt where the destination was away, and by none where it refuses', async () => {
    await keep('a');
    await deliver(OPS, ending(), tools());
    nowMs = Date.parse(OVER);
    const away = ending({ kind: 'later', reason: 'answered 503' }, { kind: 'refused', reason: 'answered 400' });

    expect(await deliver(OPS, away, tools())).toBe(5_000);
    expect((await stateOf())?.failing).toMatchObject({ reason: 'answered 503' });
    nowMs += 5_000;
    await deliver(OPS, away, tools());
    nowMs += HOUR_MS;
    await deliver(OPS, away, tools());

    expect(ended).toEqual(['a', 'a']);
    expect((await stateOf())?.failing).toBeUndefined();
    expect(warned).toContain('a destination ends no alert');
  });
});
