import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Deployment, EndedApply, Progress, BegunApply } from '@nereid/domain/deployment';
import { auditEvent, reviewAuditEvent, type AuditEvent } from '@nereid/domain/trail';
import { aPlan, aPress, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import { provenAudits, type ProofContext } from './proven-audits.ts';

const JOB = { id: '1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' };
const EARLIER = { id: '1-apply-7', startedAt: '2026-01-31T13:00:00.000Z', endedAt: '2026-01-31T13:01:00.000Z' };
const PRESS = aPress({ requestId: 'r1', digest: 'a1'.repeat(6), at: '2026-01-31T13:59:00.000Z' });
const REVIEW = { answer: 'approved', by: 'grace', at: '2026-01-31T14:00:00.000Z', press: PRESS } as const;
const PROOF = {
  body: { version: 1, deploymentId: '1', jobId: '1-apply-1', order: 'its order', kind: 'failed', summary: 'no' },
  signature: 'made',
} as const;

/** The job whose marker storage holds, and what else the marker says. */
let begun: string | undefined;
let marked: Pick<BegunApply, 'outcome' | 'overtakenBy'>;
/** The jobs that got permission to apply. */
let jobIds: readonly string[];
let context: ProofContext;
let forged: string[];

beforeEach(() => {
  forged = [];
  begun = undefined;
  marked = {};
  jobIds = [];
  const read = () => Promise.resolve(begun === undefined ? undefined : { jobId: begun, ...marked });
  const turn = () => Promise.resolve({ last: { deployment: { id: '1' }, jobIds } });
  context = {
    signatures: {
      ...testSignatures,
      forged(...said: Parameters<typeof testSignatures.forged>) {
        forged.push(said[1]);
        return testSignatures.forged(...said);
      },
    },
    begunApplies: { of: () => ({ read }) },
    laneTurns: { read: turn },
  } as unknown as ProofContext;
});

function ended(status: Progress['status'], more: Partial<Progress> = {}): Deployment {
  return { ...deploymentAt(1), progress: { ...progressAs(status), jobs: { apply: JOB }, review: REVIEW, ...more } };
}

const pressed = reviewAuditEvent(REPOSITORY, deploymentAt(1), PRESS.body);
const idsOf = (events: readonly AuditEvent[]) => events.map(({ id }) => id);
const prove = (deployment: Deployment, events: readonly AuditEvent[], job?: typeof JOB) =>
  provenAudits(context, { repository: REPOSITORY, deployment, ...(job && { job }) }, events);

describe('the start of an apply', () => {
  const started = { ...ended('awaiting-review'), progress: { ...progressAs('awaiting-review'), review: REVIEW } };

  test('is told with its approval, and names who pressed and when, whatever the workflow says', async () => {
    const told = auditEvent(REPOSITORY, started, JOB, 'RUNNING');
    const lie = { ...told, initiatingUser: 'officer', approvedBy: 'officer' };

    const events = await prove(started, [pressed, lie], JOB);

    expect(events).toEqual([pressed, { ...told, approvedBy: 'grace', approvedAt: PRESS.body.at }]);
  });

  test('is told even if the workflow leaves it out', async () => {
    expect(idsOf(await prove(started, [], JOB))).toEqual(['r1:REVIEWED', '1-apply-1:RUNNING']);
  });
});

describe('the end of an apply', () => {
  test('is told as its host signed it, even if the workflow says something else or nothing', async () => {
    const failed = ended('apply-failed', { proof: PROOF });
    const lie = auditEvent(REPOSITORY, failed, JOB, 'SUCCESS');

    expect(idsOf(await prove(failed, [lie]))).toEqual(['1-apply-1:FAILURE']);
    expect(idsOf(await prove(failed, []))).toEqual(['1-apply-1:FAILURE']);
  });

  test('without an apply is told where its marker says that none began', async () => {
    const cancelled = ended('cancelled');
    const events = [
      auditEvent(REPOSITORY, cancelled, EARLIER, 'FAILURE'),
      auditEvent(REPOSITORY, cancelled, JOB, 'FAILURE'),
    ];

    expect(await prove(cancelled, events)).toEqual(events);
    begun = JOB.id;
    expect(idsOf(await prove(cancelled, events))).toEqual(['1-apply-7:FAILURE']);
  });

  test('of a job that is none of the deployment is not told', async () => {
    const cancelled = ended('cancelled');
    const states = ['RUNNING', 'FAILURE'] as const;
    const events = states.map((state) => auditEvent(REPOSITORY, cancelled, { ...JOB, id: '2-apply-1' }, state));
    marked = { overtakenBy: 'rejected' };
    begun = '';

    expect(idsOf(await prove(cancelled, events))).toEqual([]);
  });

  test('that was refused permission is told with its start, which the audit trail may have or not', async () => {
    const cancelled = ended('cancelled', { jobs: {} });
    const events = [
      auditEvent(REPOSITORY, cancelled, { id: JOB.id, startedAt: JOB.startedAt }, 'RUNNING'),
      auditEvent(REPOSITORY, cancelled, { ...JOB, endedAt: '2026-01-31T14:01:00.000Z' }, 'FAILURE'),
    ];
    marked = { overtakenBy: 'rejected' };
    begun = '';

    expect(await prove(cancelled, events)).toEqual(events);
    expect(idsOf(await prove(cancelled, events.slice(0, 1)))).toEqual([]);
    expect(forged).toHaveLength(1);
  });

  test('that was refused permission while it may still begin is told without its start, and nothing counts as forged', async () => {
    const cancelled = ended('cancelled', { jobs: {} });
    const events = [
      auditEvent(REPOSITORY, cancelled, JOB, 'RUNNING'),
      auditEvent(REPOSITORY, cancelled, JOB, 'FAILURE'),
    ];

    expect(idsOf(await prove(cancelled, events))).toEqual(['1-apply-1:FAILURE']);
    expect(forged).toEqual([]);
  });
});

describe('an end of which nobody knows what was applied is told', () => {
  const unknown = ended('apply-outcome-unknown');
  const told = () => prove(unknown, [auditEvent(REPOSITORY, unknown, JOB, 'UNKNOWN')]);

  test('where its marker says that this job began, or where this job had permission to begin', async () => {
    begun = JOB.id;
    expect(idsOf(await told())).toEqual(['1-apply-1:UNKNOWN']);

    begun = undefined;
    jobIds = [JOB.id];
    expect(idsOf(await told())).toEqual(['1-apply-1:UNKNOWN']);
  });

  test.each<[string, EndedApply, string]>([
    ['success', { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } }, '1-apply-1:SUCCESS'],
    ['failure', { kind: 'failed', failure: { body: { summary: 'no', lines: [] } } }, '1-apply-1:FAILURE'],
    ['unknown', { kind: 'unknown', why: 'it was killed' }, '1-apply-1:UNKNOWN'],
  ])('an end is told as it was where its host has told storage: %s', async (_what, outcome, id) => {
    begun = JOB.id;
    marked = { outcome };

    expect(idsOf(await told())).toEqual([id]);
    expect(idsOf(await prove(unknown, []))).toEqual([id]);
  });

  test('as one that never began where another job or another deployment did instead', async () => {
    begun = 'j9';
    expect(idsOf(await told())).toEqual(['1-apply-1:FAILURE']);

    marked = { overtakenBy: '2' };
    expect(idsOf(await told())).toEqual(['1-apply-1:FAILURE']);
  });

  test('by nobody who made up its job', async () => {
    jobIds = ['j9'];

    expect(idsOf(await told())).toEqual([]);
  });
});

test('a rejection is told once, at the end', async () => {
  const rejected = ended('rejected', { jobs: {}, review: { ...REVIEW, answer: 'rejected' } });

  expect(idsOf(await prove(rejected, []))).toEqual(['r1:REVIEWED']);
  expect(idsOf(await prove(ended('expired', { jobs: {} }), []))).toEqual([]);
});

test('a rejection of a plan that was confirmed before the merge is told, and its approval not again', async () => {
  const confirmed = { jobs: {}, plan: aPlan({ beforeMerge: true }) } as const;
  const rejected = ended('rejected', { ...confirmed, review: { ...REVIEW, answer: 'rejected' } });

  expect(idsOf(await prove(rejected, [pressed]))).toEqual(['r1:REVIEWED']);
  expect(idsOf(await prove(ended('cancelled', confirmed), []))).toEqual([]);
});

test('what nothing proves is not told', async () => {
  const deployment = ended('succeeded', { proof: PROOF });
  const another = auditEvent(REPOSITORY, { ...deployment, requestedBy: 'officer' }, { ...JOB, id: 'j9' }, 'SUCCESS');

  expect(idsOf(await prove(deployment, [another, { ...pressed, id: 'r9:REVIEWED' }]))).toEqual(['1-apply-1:SUCCESS']);
});
