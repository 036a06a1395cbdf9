import { beforeEach, expect, test } from '@jest/globals';
import type { Forgetting } from '@nereid/storage';
import type { OwedAudit } from '@nereid/domain/trail';
import { pino } from 'pino';
import { testSignatures } from '../testing/test-signatures.ts';
import { forgetPerson, type ForgetContext } from './forget-person.ts';

const SINKS = [{ to: 'file:/var/log/audit.jsonl' }, { to: 'webhook:https://hooks.example.com/services/T0K3N' }];

let asked: Forgetting[];
let trail: unknown[];
let owed: OwedAudit[];
let failure: Error | undefined;

const context: ForgetContext = {
  erasure: {
    forget: (forgetting) => {
      asked.push(forgetting);
      return failure ? Promise.reject(failure) : Promise.resolve({ records: 2, events: 3, kept: 4 });
    },
  },
  signatures: testSignatures,
  owedAudits: {
    keep: (one) => {
      owed.push(one);
      return Promise.resolve();
    },
    remove: () => {
      owed.splice(0);
      return Promise.resolve();
    },
    list: () => Promise.resolve(owed),
  },
  publish: (event) => {
    trail.push(event);
    return Promise.resolve();
  },
  logger: pino({ level: 'silent' }),
  server: { current: () => ({ audit: { to: SINKS } }) },
};

beforeEach(() => {
  [asked, trail, owed, failure] = [[], [], [], undefined];
});

const forget = (login: string, isMeant: boolean) =>
  forgetPerson(context, { verb: 'forget-person', login, as: 'ada', isMeant }, { report: () => undefined });

test('without --yes, it says what would change and what is not reached, and changes nothing', async () => {
  const { isDone, text } = await forget('bob', false);

  expect(isDone).toBe(true);
  expect(text).toContain('records of ended deployments: 2; in their events of the audit trail: 3');
  expect(text).toContain('name the person as before: 4');
  expect(text).toContain('the audit events that went to file:/var/log/audit.jsonl');
  expect(text).toContain('Nothing was changed');
  expect(asked).toMatchObject([{ login: 'bob', isDryRun: true }]);
  expect(trail).toEqual([]);
});

test('it names a webhook by its host, because the path of its URL may be a secret', async () => {
  const { text } = await forget('bob', false);

  expect(text).toContain('the audit events that went to webhook:hooks.example.com\n');
  expect(text).not.toContain('T0K3N');
});

test.each([
  'audit events without a deployment: those of unlock, force-unlock and drain',
  'records of closed pull requests, with the reviews of their plans',
  "the pseudonym changes with the orders' key",
])('it says that this is not reached: %s', async (unreached) => {
  expect((await forget('bob', false)).text).toContain(unreached);
});

test('with --yes, the trail has who did it, and the person by the pseudonym alone', async () => {
  const { text } = await forget('bob', true);

  const { pseudonym } = asked[0] ?? {};
  expect(asked).toMatchObject([{ isDryRun: false }]);
  const fact = { state: 'ERASED', initiatingUser: 'ada', pseudonym };
  expect(trail).toMatchObject([{ kind: 'person-forgotten', fact }]);
  expect(JSON.stringify(trail)).not.toContain('bob');
  expect(text).toContain(String(pseudonym));
});

test('a login has the same pseudonym each time, in any case, and no two logins have one', async () => {
  for (const login of ['bob', 'Bob', 'carol']) await forget(login, false);

  const [bob, again, carol] = asked.map(({ pseudonym }) => pseudonym);
  expect(bob).toMatch(/^forgotten-[0-9a-f]{12}$/);
  expect(again).toBe(bob);
  expect(carol).not.toBe(bob);
});

test('one that fails halfway is owed to the trail', async () => {
  failure = new Error('storage is away');

  await expect(forget('bob', true)).rejects.toThrow('storage is away');
  expect(owed).toMatchObject([{ event: { state: 'ERASED', initiatingUser: 'ada' } }]);
});
