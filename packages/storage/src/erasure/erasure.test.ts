import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Redaction } from '@nereid/domain/deployment';
import type { JobAuditEvent } from '@nereid/domain/trail';
import { createFileStore } from '../objects/folder/file-store.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { createDeploymentRecords } from '../records/deployment-records.ts';
import { createEndedDeployments } from '../records/ended-deployments.ts';
import { idOf, endDeployments } from '../retention/testing.ts';
import { aDeployment, aDeploymentRecord, aFolder, aRepository } from '../testing.ts';
import { createAuditTrail } from '../trail/audit-trail.ts';
import { createErasure, type Erasure } from './erasure.ts';
import { pseudonymise } from './pseudonymise.ts';

const PERSON = { login: 'alice', pseudonym: 'forgotten-1' };
const OLD = '2024-01-31T00:00:00.000Z';

let store: ObjectStore;
let erasure: Erasure;

beforeEach(async () => {
  store = createFileStore(await aFolder());
  erasure = createErasure(store);
});

const sign = (body: Redaction) => Promise.resolve({ body, signature: 'signed' });

const forget = (isDryRun = false) => erasure.forget({ ...PERSON, isDryRun, sign });

const find = (number: number) => createDeploymentRecords(store).find(aRepository, 'network', idOf(number));

function anEvent(number: number): JobAuditEvent {
  return {
    ...({ version: 1, id: `${idOf(number)}-apply-1:SUCCESS`, state: 'SUCCESS', jobId: 'j', jobType: 'apply' } as const),
    ...{ deploymentId: idOf(number), repository: 'acme/.github', rootName: 'network', revision: 'a'.repeat(40) },
    ...({ isForceApply: false, trigger: 'merge', rerun: false, initiatingUser: 'alice' } as const),
    initiatingUserId: 7,
    ...{ startedAt: OLD, workflowId: idOf(number) },
  };
}

describe('a person is forgotten', () => {
  test('in records outside of the window of their lane, which control signs again, and in no others', async () => {
    await endDeployments(store, 52, OLD);

    expect(await forget()).toEqual({ records: 2, events: 0, kept: 50 });

    const record = await find(1);
    expect(record?.deployment).toMatchObject({ requestedBy: 'forgotten-1', revision: { author: 'forgotten-1' } });
    expect(record?.redacted).toMatchObject({ body: { deploymentId: idOf(1), pseudonym: 'forgotten-1' } });
    expect(JSON.stringify(await find(2))).not.toContain('alice');
    expect(await find(3)).toMatchObject({ deployment: { requestedBy: 'alice' } });
  });

  test('in the summaries of these deployments, packed or not', async () => {
    await endDeployments(store, 51, OLD);
    const ended = createEndedDeployments(store);
    await ended.pack('2024-01-31');

    await forget();
    expect((await ended.read('2024-01-31')).at(-1)).toMatchObject({ entry: { requestedBy: 'forgotten-1' } });

    await ended.pack('2024-01-31');
    const packed = await store.get('ended-packed/2024-01-31.jsonl');
    expect(Buffer.from(packed?.body ?? []).toString()).toContain('forgotten-1');
  });

  test('in their events of the audit trail, and in those of no other deployment', async () => {
    await endDeployments(store, 51, OLD);
    const trail = createAuditTrail(store);
    for (const number of [1, 51]) await trail.append(OLD, anEvent(number).id, anEvent(number));
    await trail.pack('2024-01-31');

    expect(await forget()).toMatchObject({ events: 1 });

    const entries = (await trail.read('2024-01-31')).map(({ entry }) => entry);
    const { initiatingUserId: _id, ...rest } = anEvent(1);
    expect(entries).toContainEqual({ ...rest, initiatingUser: 'forgotten-1' });
    expect(entries).toContainEqual(anEvent(51));
  });

  test('once: another time finds nothing more', async () => {
    await endDeployments(store, 51, OLD);
    await forget();

    expect(await forget()).toMatchObject({ records: 0, events: 0 });
  });
});

test('a dry run says the same, and changes nothing', async () => {
  await endDeployments(store, 52, OLD);

  expect(await forget(true)).toEqual({ records: 2, events: 0, kept: 50 });
  expect(await find(1)).toMatchObject({ deployment: { requestedBy: 'alice' } });
});

describe('a pseudonym', () => {
  test('takes the place of a login in any case, and of each mention of it, but of no other login', () => {
    const said = { by: 'Alice', byId: 7, reason: '@alice and @alice-b and @ALICE.', title: 'alice in chains' };

    expect(pseudonymise({ list: [said] }, PERSON)).toEqual({
      list: [{ by: 'forgotten-1', reason: '@forgotten-1 and @alice-b and @forgotten-1.', title: 'alice in chains' }],
    });
  });

  test('takes no place in an address of mail, whose host may begin with the login', () => {
    const reason = 'x@alice.example, x.y-@alice.example and (@alice)';

    expect(pseudonymise({ reason }, PERSON)).toEqual({
      reason: 'x@alice.example, x.y-@alice.example and (@forgotten-1)',
    });
  });

  test('leaves no signature of what it changed', () => {
    const unlocked = { body: { by: 'alice' }, signature: 'signed' };

    expect(pseudonymise({ unlocked, other: { body: { by: 'bob' }, signature: 'signed' } }, PERSON)).toEqual({
      unlocked: { body: { by: 'forgotten-1' }, signature: 'redacted' },
      other: { body: { by: 'bob' }, signature: 'signed' },
    });
  });

  test('takes the place of a bot, whose login ends in brackets', () => {
    const bot = { login: 'renovate[bot]', pseudonym: 'forgotten-2' };

    expect(pseudonymise({ by: 'renovate[bot]', reason: '@renovate[bot], @renovate' }, bot)).toEqual({
      by: 'forgotten-2',
      reason: '@forgotten-2, @renovate',
    });
  });

  test('changes nothing where nobody of that name is', () => {
    const record = aDeploymentRecord(idOf(1), OLD);
    const revision = { ...record.deployment.revision, author: 'bob' };
    const other = { ...record, deployment: aDeployment({ requestedBy: 'bob', revision }) };

    expect(pseudonymise(other, PERSON)).toBe(other);
  });
});
