/** Whatever anybody signals to a lane, without a signature that counts: its record stays readable. */
import { describe, expect, test } from '@jest/globals';
import { deploymentRecord } from '@nereid/domain/deployment/record';
import { recordOf, type Effect, type LaneActor, type LaneEvent } from '@nereid/domain/lane';
import { MESSAGE } from '@nereid/domain/temporal-names';
import {
  aBusyLane,
  aCancel,
  after,
  aLock,
  aNotice,
  anUnlock,
  aRestoredLane,
  aRevision,
  arrivalOf,
  begin,
  deploymentAt,
  endOf,
  NOW,
  NOW_MS,
  progressAs,
} from '@nereid/domain/testing';
import { createLaneRecords, type ObjectStore } from '@nereid/storage';
import fc from 'fast-check';
import { unreadable, type MessageName } from './readable.ts';

/** A second. */
const RUNS = 10_000;

/** When a lane that stored something stores what came since. */
const LATER = { now: NOW_MS + 10_000 };

/** The same garbage in every run of the tests; another: `SEED=11 make unit ARGS=garbage`. */
const SEED = Number(process.env['SEED'] ?? 7);

type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

/** Each with every field that a lane knows. Deployment 0 runs in the busy lane, 2 waits. */
const GENUINE: readonly (readonly [MessageName, object])[] = [
  [
    MESSAGE.newRevision,
    {
      ...aRevision(4, { requestedById: 7, pullRequest: 3, rollout: 'r', trigger: 'merge' }),
      deploymentId: '4',
      formerly: { rootName: 'net', lock: { ...aLock(), byId: 7 } },
    },
  ],
  [MESSAGE.newRevision, { ...aRevision(5, { trigger: 'manual', requestedById: 7 }), deploymentId: '5' }],
  [MESSAGE.cancel, aCancel({ deploymentId: '0', byId: 7 })],
  [MESSAGE.cancel, aCancel({ deploymentId: '2', byId: 7 })],
  [MESSAGE.unlock, anUnlock({ deploymentId: '2', byId: 7 })],
  [MESSAGE.notice, aNotice({ deploymentId: '2' })],
  ...(['0', '2'] as const).flatMap((deploymentId) =>
    (['succeeded', 'plan-failed', 'apply-failed', 'cancelled'] as const).map(
      (status) => [MESSAGE.deploymentEnded, { ...anEnd(deploymentId, status), isClosed: true }] as const,
    ),
  ),
];

function anEnd(deploymentId: string, status: 'succeeded' | 'plan-failed' | 'apply-failed' | 'cancelled'): object {
  const job = { id: `${deploymentId}-plan-1`, startedAt: NOW, endedAt: NOW };
  const failure = { failure: { body: { summary: 'It failed.', lines: ['It failed.'] } } };
  const why = status === 'cancelled' ? { reason: 'Cancelled by @carol' } : failure;
  const progress = { ...progressAs(status), jobs: { plan: job, apply: job }, ...why };
  return { version: 1, deploymentId, progress };
}

const LANES: readonly LaneActor[] = [
  aRestoredLane(),
  aRestoredLane({ lock: aLock(), merged: [deploymentAt(2)] }),
  aBusyLane(arrivalOf(2), arrivalOf(3, { trigger: 'manual' })),
];

/** What brings the fields of deployments to all the places that they have in the record. */
const AFTERWARDS: readonly LaneEvent[] = [
  { kind: 'unlock', at: NOW, message: anUnlock({ requestId: 'genuine' }) },
  ...['2', '5'].map((deploymentId) => ({
    kind: 'cancel' as const,
    at: NOW,
    message: aCancel({ requestId: `genuine-${deploymentId}`, deploymentId }),
  })),
  endOf('0', 'apply-failed', true),
  { kind: 'cancel-requested', at: NOW },
];

type Change = (message: Json) => Json | undefined;

const GARBAGE: readonly Json[] = [null, '', 'x', 0, -1, 1.5, true, [], {}, { bogus: 1 }];

/** A field is removed, replaced, put into a list, or given one more field. */
const CHANGES: readonly Change[] = [
  () => undefined,
  (value) => [value],
  (value) => (isFields(value) ? { ...value, bogus: 'x' } : value),
  ...GARBAGE.map(
    (value): Change =>
      () =>
        value,
  ),
];

function changeIn(message: object): fc.Arbitrary<Change> {
  const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  const change = fc.oneof(
    fc.constantFrom(...CHANGES),
    json.map(
      (value): Change =>
        () =>
          value,
    ),
  );
  const path = fc.constantFrom(...pathsIn(message as Json)); // Written above, as JSON.
  return fc.tuple(path, change).map(
    ([at, one]) =>
      (whole) =>
        changed(whole, at, one),
  );
}

function pathsIn(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  const below = isFields(value)
    ? Object.entries(value).flatMap(([field, part]) => pathsIn(part, [...path, field]))
    : [];
  return [path, ...below];
}

function changed(value: Json, [field, ...path]: readonly string[], change: Change): Json | undefined {
  if (field === undefined) return change(value);
  const part = isFields(value) ? value[field] : undefined;
  if (!isFields(value) || part === undefined) return value;
  const { [field]: _before, ...others } = value;
  const after = changed(part, path, change);
  return after === undefined ? others : { ...others, [field]: after };
}

function isFields(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Several fields at once. */
const garbled = fc
  .constantFrom(...GENUINE)
  .chain(([name, message]) =>
    fc
      .array(changeIn(message), { minLength: 2, maxLength: 3 })
      .map((changes) => [name, changes.reduce<Json | undefined>(applied, message as Json)] as const),
  );

function applied(message: Json | undefined, change: Change): Json | undefined {
  return message === undefined ? undefined : change(message);
}

/** As the workflow makes it of a signal that it takes. */
function eventOf(name: MessageName, message: unknown): LaneEvent {
  if (name !== MESSAGE.newRevision) return { kind: name, at: NOW, message } as LaneEvent;
  const { version: _version, deploymentId = 'made-up', ...request } = message as ReturnType<typeof aRevision>;
  return { kind: name, at: NOW, id: deploymentId, request };
}

/** The lane in storage, and the deployments that it has recorded. */
async function expectReadable(lane: LaneActor, effects: readonly Effect[]): Promise<void> {
  const record = JSON.parse(JSON.stringify(recordOf(lane))) as ReturnType<typeof recordOf>;
  const objects = new Map<string, Uint8Array>();
  const records = createLaneRecords({
    get: (key: string) => Promise.resolve({ body: objects.get(key), version: '1' }),
    put: (key: string, body: Uint8Array) => Promise.resolve(void objects.set(key, body)),
  } as unknown as ObjectStore); // The two that it needs.

  await records.write(record, null);
  expect((await records.read(record.repository, record.rootName))?.record).toEqual(record);
  for (const effect of effects) {
    if (effect.kind !== 'settle') continue;
    for (const ended of effect.settlement.ended) expect(deploymentRecord.safeParse(ended).error).toBeUndefined();
  }
}

test.each(GENUINE)('a genuine %s is taken (%#)', (name, message) => {
  expect(unreadable(name, message)).toBeUndefined();
});

async function expectKept(name: MessageName, message: unknown, before: LaneActor): Promise<void> {
  const [lane, effects] = begin(after(before, eventOf(name, message)), LATER);
  await expectReadable(lane, effects);
  const [later, then] = begin(after(lane, ...AFTERWARDS), LATER);
  await expectReadable(later, then);
}

describe('a lane stores what can be read again', () => {
  test.each(GENUINE)('after a %s of which any one field is garbage (%#)', async (name, message) => {
    for (const path of pathsIn(message as Json)) {
      for (const change of CHANGES) {
        const garbage = changed(message as Json, path, change);
        if (unreadable(name, garbage) !== undefined) continue;
        for (const lane of LANES) await expectKept(name, garbage, lane);
      }
    }
  });

  test('after any signal of which several fields are garbage', async () => {
    await fc.assert(
      fc.asyncProperty(garbled, fc.constantFrom(...LANES), async ([name, message], lane) => {
        if (unreadable(name, message) === undefined) await expectKept(name, message, lane);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
