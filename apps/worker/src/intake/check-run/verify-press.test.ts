import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ButtonEvent } from '@nereid/domain/intake';
import { ForgeUnavailableError, type Press } from '@nereid/forge';
import { pino } from 'pino';
import { TEST_KEYS, TEST_POOLS } from '../../testing/test-signatures.ts';
import { createSignatures } from '../../platform/keys/signatures.ts';
import { whyNotPressed } from './verify-press.ts';

const UNKNOWN_PRESS = 'GitHub does not know this press: nothing was done';

const EVENT: ButtonEvent = {
  kind: 'button',
  repository: { owner: 'acme', name: 'infra', installationId: 1 },
  checkRun: { id: 7, name: 'nereid/deploy: network', headSha: 'a'.repeat(40), externalId: 'd1', conclusion: null },
  button: { kind: 'confirm', mark: '0123456789ab' },
  sender: 'officer',
  senderId: 42,
};

/** As GitHub has logged the same. */
const PRESS: Press = {
  repository: 'Acme/infra',
  installationId: 1,
  checkRunId: 7,
  checkRunName: 'nereid/deploy: network',
  headSha: 'a'.repeat(40),
  externalId: 'd1',
  identifier: 'confirm.0123456789ab',
  sender: 'officer',
  senderId: 42,
};

/** What was looked up. */
let asked: [guid: string, since: string][];
/** Ids of deliveries that were counted as forged. */
let forged: string[];

beforeEach(() => {
  [asked, forged] = [[], []];
});

test('a press that GitHub has logged is believed', async () => {
  expect(await why(() => PRESS)).toBeUndefined();
  expect(asked).toEqual([['delivery-1', '2026-01-31T13:55:00.000Z']]);
  expect(forged).toEqual([]);
});

test('without the setting, the signature of the gateway is enough, and GitHub is not asked', async () => {
  expect(await why(() => undefined, { verifyPresses: false })).toBeUndefined();
  expect(asked).toEqual([]);
});

test('a press that GitHub does not show yet is asked for again', async () => {
  await expect(why(() => undefined)).rejects.toMatchObject({ code: 'PRESS_NOT_LOGGED' });
  expect(forged).toEqual([]);
});

test('a press that GitHub has not logged within a minute is refused, and counts as forged', async () => {
  expect(await why(() => undefined, { waitedMs: 61_000 })).toBe(UNKNOWN_PRESS);
  expect(forged).toEqual(['delivery-1']);
});

describe('a press that GitHub has not logged', () => {
  test.each<[string, Partial<Press>]>([
    ['another person', { sender: 'mallory' }],
    ['another id of the person', { senderId: 43 }],
    ['another button', { identifier: 'reject.0123456789ab' }],
    ['the button of another plan', { identifier: 'confirm.ba9876543210' }],
    ['another check run', { checkRunId: 8 }],
    ['a check run of another name', { checkRunName: 'nereid/deploy: prod' }],
    ['a check run of another deployment', { externalId: 'd2' }],
    ['a check run of another commit', { headSha: 'b'.repeat(40) }],
    ['another repository', { repository: 'acme/other' }],
    ['another installation', { installationId: 2 }],
    ['nothing of it', { sender: undefined, identifier: undefined }],
  ])('a press counts as forged when GitHub has logged %s', async (_what, change) => {
    expect(await why(() => ({ ...PRESS, ...change }))).toBe(UNKNOWN_PRESS);
    expect(forged).toEqual(['delivery-1']);
  });
});

describe('while GitHub is away', () => {
  const away = () => {
    throw new ForgeUnavailableError('the forge is away', { status: 502 });
  };

  test('it is asked again', async () => {
    await expect(why(away)).rejects.toBeInstanceOf(ForgeUnavailableError);
  });

  test('for too long, the person is asked to press again, and nothing counts as forged', async () => {
    expect(await why(away, { waitedMs: 61_000 })).toMatch(/^GitHub could not be asked/);
    expect(forged).toEqual([]);
  });
});

test.each([true, false])(
  'no press is believed of a forge without buttons, with verify_presses: %s',
  async (verifyPresses) => {
    expect(await why(() => PRESS, { verifyPresses, hasButtons: false })).toBe(
      'GitHub has no buttons: nothing was done',
    );
    expect(asked).toEqual([]);
  },
);

interface Circumstances {
  readonly verifyPresses?: boolean;
  /** Whether the forge has any. */
  readonly hasButtons?: boolean;
  /** Since the activity was scheduled. */
  readonly waitedMs?: number;
}

function why(
  findPress: () => Press | undefined,
  { verifyPresses = true, hasButtons = true, waitedMs = 0 }: Circumstances = {},
) {
  const logger = pino({ level: 'silent' });
  const buttons = {
    findPress: async (guid: string, since: string) => {
      asked.push([guid, since]);
      return Promise.resolve(findPress());
    },
  };
  const context = {
    server: { current: () => ({ verifyPresses }) },
    forge: { name: 'GitHub', buttons: hasButtons ? buttons : undefined },
    logger,
    signatures: createSignatures({
      ...TEST_POOLS,
      keys: TEST_KEYS,
      onForged: (_error, about) => forged.push(about),
    }),
  } as unknown as Parameters<typeof whyNotPressed>[0]['context']; // Only these parts are used.
  const call = {
    context,
    delivery: 'delivery-1',
    answeredIn: 'forge',
    askedAt: '2026-01-31T14:00:00.000Z',
    scheduledAtMs: Date.now() - waitedMs,
  } as const;
  return whyNotPressed(call, EVENT);
}
