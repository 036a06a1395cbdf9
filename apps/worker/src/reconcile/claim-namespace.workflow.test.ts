import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '@nereid/config';
import { WATCH_SCHEDULE } from '@nereid/domain/temporal-names';
import type { OwnNamespaces } from '@nereid/storage';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { claimNamespace } from './claim-namespace.ts';
import { MARK, marksOf, whyNotOwn } from './installation-mark.ts';
import { ensureSchedules } from './schedules.ts';

let environment: WorkflowEnvironment;
let ours: Installation;
let others: Installation;

const [ourKey, otherKey] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const OURS = marksOf({ privateKey: ourKey.privateKey, publicKeys: [] });
const OTHERS = marksOf({ privateKey: otherKey.privateKey, publicKeys: [] });
/** Of our installation, once its key was replaced. */
const ROTATED = marksOf({ privateKey: otherKey.privateKey, publicKeys: [ourKey.publicKey] });

beforeEach(async () => {
  environment = await createWorkflowEnvironment();
  [ours, others] = [anInstallation(), anInstallation()];
});

afterEach(() => environment.close());

describe('a namespace', () => {
  test('belongs to the installation that began in it, and to no other', async () => {
    await ours.starts(OURS);

    await ours.starts(OURS);
    const refused = others.starts(OTHERS);

    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(
      `expected the namespace ${environment.namespace} to be of this installation, found one of another`,
    );
    expect(ours.alarms).toEqual([]);
  });

  test('belongs to one of two installations that begin in it at the same time, and the other stops', async () => {
    const { client } = environment;
    expect(await Promise.all([whyNotOwn(client, OURS), whyNotOwn(client, OTHERS)])).toEqual([undefined, undefined]);
    await ensureSchedules(client, OURS);

    await expect(ensureSchedules(client, OTHERS)).rejects.toBeInstanceOf(ConfigurationError);

    expect(await whyNotOwn(client, OURS)).toBeUndefined();
  });

  test('of two that start at once, one installation alone starts', async () => {
    const started = await Promise.allSettled([ours.starts(OURS), others.starts(OTHERS)]);

    expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(ours.remembered.size + others.remembered.size).toBe(1);
  });
});

test('keys rotate: with the earlier key among its public ones, an installation stays the same, and leaves its later mark', async () => {
  await ours.starts(OURS);

  await ours.starts(ROTATED);

  expect(await markOfNow()).toBe(OTHERS.own);
  expect(ours.alarms).toEqual([]);
});

test('the mark stays on a schedule that an operator paused', async () => {
  await ours.starts(OURS);
  await watch().pause('maintenance');

  await ours.starts(OURS);

  expect((await watch().describe()).state.paused).toBe(true);
  await expect(others.starts(OTHERS)).rejects.toBeInstanceOf(ConfigurationError);
});

test('without its earlier key and its storage, an installation takes the namespace again once the schedule is gone', async () => {
  await ours.starts(OURS);
  await watch().delete();

  await others.starts(OTHERS);

  await expect(anInstallation().starts(OURS)).rejects.toBeInstanceOf(ConfigurationError);
});

describe('somebody else who reaches Temporal writes to the schedule', () => {
  const MARKS = {
    'the mark of another installation': { memo: json('"x"') },
    'a mark that cannot be decoded': { memo: json('{') },
    'a mark that no key opens': { memo: { metadata: { encoding: Buffer.from('unknown') }, data: Buffer.from('x') } },
    'a mark that is kept elsewhere': { memo: elsewhere() },
    'an argument that cannot be decoded': { argument: json('{') },
  } as const;

  test.each(Object.entries(MARKS))(
    '%s: its installation raises an alarm, and sets its own again',
    async (_, written) => {
      await ours.starts(OURS);
      await write(written);

      await ours.starts(OURS);

      expect(ours.alarms).toEqual([expect.stringContaining('somebody else wrote to the schedule of the watch')]);
      expect(await markOfNow()).toBe(OURS.own);
      await ours.starts(OURS);
      expect(ours.alarms).toHaveLength(1);
    },
  );

  test.each(Object.entries(MARKS))('%s: an installation that never was there does not start', async (_, written) => {
    await ours.starts(OURS);
    await write(written);

    const refused = others.starts(OTHERS);

    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(`delete the schedule ${WATCH_SCHEDULE}, and start again`);
    expect(others.remembered.size).toBe(0);
  });
});

test('storage that does not answer keeps no installation from starting in its namespace', async () => {
  await ours.starts(OURS, { add: () => Promise.reject(new Error('away')) });

  expect(ours.alarms).toEqual([expect.stringContaining('storage could not be told')]);
  expect(await markOfNow()).toBe(OURS.own);
});

interface Installation {
  /** Its control. */
  starts(marks: typeof OURS, storage?: Partial<OwnNamespaces>): Promise<void>;
  readonly alarms: string[];
  /** The namespaces that its storage has. */
  readonly remembered: ReadonlySet<string>;
}

function anInstallation(): Installation {
  const alarms: string[] = [];
  const remembered = new Set<string>();
  const logger = { error: (_: unknown, message?: string) => void alarms.push(message ?? '') };
  const ownNamespaces: OwnNamespaces = {
    has: ({ id }) => Promise.resolve(remembered.has(id)),
    add: ({ id }) => Promise.resolve(void remembered.add(id)),
  };
  return {
    alarms,
    remembered,
    starts: (marks, storage = {}) =>
      claimNamespace({ temporal: environment.client, logger, ownNamespaces: { ...ownNamespaces, ...storage } }, marks),
  };
}

function json(text: string) {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) };
}

/** A reference to what other SDKs keep outside of Temporal. */
function elsewhere() {
  const messageType = Buffer.from('temporal.api.sdk.v1.ExternalStorageReference');
  return { metadata: { encoding: Buffer.from('json/protobuf'), messageType }, data: Buffer.from('{}') };
}

/** As a program of one's own does, past the client that encodes. */
async function write({ memo, argument }: { readonly memo?: object; readonly argument?: object }): Promise<void> {
  const { client, namespace } = environment;
  const described = await client.workflowService.describeSchedule({ namespace, scheduleId: WATCH_SCHEDULE });
  const { schedule } = described;
  if (!schedule?.action?.startWorkflow) throw new Error('expected a schedule');
  const { startWorkflow } = schedule.action;
  const changed = {
    ...startWorkflow,
    ...(memo && { memo: { fields: { [MARK]: memo } } }),
    ...(argument && { input: { payloads: [argument] } }),
  };
  await client.workflowService.updateSchedule({
    ...{ namespace, scheduleId: WATCH_SCHEDULE, schedule: { ...schedule, action: { startWorkflow: changed } } },
  });
}

const watch = () => environment.client.schedule.getHandle(WATCH_SCHEDULE);

const markOfNow = async () => (await watch().describe()).action.memo?.[MARK];
