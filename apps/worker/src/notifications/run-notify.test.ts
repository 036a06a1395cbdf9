import { beforeEach, expect, test } from '@jest/globals';
import type { ServerConfig } from '@nereid/config';
import { FRESH_DESTINATION, type DestinationState, type Notification } from '@nereid/domain/notification';
import type { Answer } from '@nereid/notifications';
import { createOutbox, type Outbox } from '@nereid/storage';
import { storeOfEachTest } from '@nereid/storage/testing';
import { readNotifyCommand } from './notify-command.ts';
import { runNotify } from './run-notify.ts';

const OPS: ServerConfig['notifications'][number] = {
  name: 'ops',
  target: { kind: 'webhook', url: 'https://hooks.example.org', secretFile: '/s' },
  when: ['failed'],
  repositories: [],
  roots: [],
};

const store = storeOfEachTest();
let outbox: Outbox;
let sent: Notification[];

beforeEach(() => {
  outbox = createOutbox(store);
  sent = [];
});

function run(words: string, ...answers: readonly Answer[]) {
  const left = [...answers];
  const open = () => ({
    subjectOf: ({ id }: Notification) => id,
    send: (notification: Notification) => {
      sent.push(notification);
      return Promise.resolve<Answer>(left.shift() ?? { kind: 'delivered' });
    },
  });
  const tools = { destinations: [OPS], outbox, consoleUrl: 'https://nereid.example.org', open };
  return runNotify(tools, readNotifyCommand(words.split(' ')));
}

const stateIs = (state: Partial<DestinationState>) =>
  outbox.writeState('ops', { ...FRESH_DESTINATION, ...state }, undefined);

test('a sample says that it is one, and its answer is shown', async () => {
  const outcome = await run('test ops');

  expect(outcome).toEqual({ isDone: true, text: expect.stringMatching(/^ops took the sample after \d+ ms$/) });
  expect(sent).toMatchObject([{ type: 'failed', repository: 'example/infrastructure' }]);
  expect(sent[0]?.sentence).toContain('A sample: nothing happened');
});

test('a sample that opens something is followed by one that closes it', async () => {
  await run('test ops', { kind: 'delivered', note: 'open' });

  expect(sent.map(({ type }) => type)).toEqual(['failed', 'succeeded']);
});

test.each<[Answer, RegExp]>([
  [{ kind: 'refused', reason: 'answered 404' }, /^ops did not take the sample.*answered 404; .* set aside$/],
  [{ kind: 'later', reason: 'answered 500' }, /answered 500; a notification would be tried again$/],
])('a sample that is not taken: %j', async (answer, text) => {
  expect(await run('test ops', answer)).toEqual({ isDone: false, text: expect.stringMatching(text) });
});

test('a destination that the file does not have is refused with those that it has', async () => {
  expect(await run('test opps')).toEqual({
    isDone: false,
    text: expect.stringContaining("found opps; notifications of the server's file has ops"),
  });
});

test('retry lets refused notifications wait again, and ends a pause', async () => {
  await outbox.keep('ops', aNotification('a'), new Date());
  const [waiting] = await outbox.listWaiting('ops', 1);
  if (waiting) await outbox.setAside('ops', waiting, aNotification('a'));
  const at = new Date().toISOString();
  await stateIs({ failing: { since: at, attempts: 9, lastAt: at, nextAt: at, reason: 'answered 500' } });

  expect(await run('retry ops')).toEqual({
    isDone: true,
    text: '1 refused notification waits again, and ops is tried within a minute',
  });
  expect(await outbox.listWaiting('ops', 10)).toHaveLength(1);
  expect((await outbox.readState('ops'))?.state.failing).toBeUndefined();
});

test('status says what waits, and what became of the last one', async () => {
  const refused = { id: 'n1', at: '2026-11-22T10:00:00.000Z', reason: 'answered 404' };
  await stateIs({ refused, dropped: 3 });
  await outbox.keep('ops', aNotification('a'), new Date());

  const { text } = await run('status');

  expect(text).toBe(
    'ops (webhook), 1 waiting: expected ops to take notifications, found that it refused one at 2026-11-22T10:00:00.000Z: answered 404 (3 were dropped so far); mend it, and run: nereid notify retry ops',
  );
});

test.each([
  ['', 'expected status, test or retry, found nothing'],
  ['tell ops', 'found tell'],
  ['test', 'expected one name of a destination, found none'],
  ['test a b', 'found a b'],
  ['status ops', 'expected nothing else, found ops'],
])('the command %j is refused, with what was expected', (words, found) => {
  expect(() => readNotifyCommand(words.split(' ').filter((word) => word !== ''))).toThrow(found);
});

function aNotification(id: string): Notification {
  return { version: 1, id, type: 'failed', at: new Date().toISOString(), sentence: 'Failed', links: {} };
}
