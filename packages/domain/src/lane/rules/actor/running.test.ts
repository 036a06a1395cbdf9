import { describe, expect, test } from '@jest/globals';
import type { ApplyOutcome } from '../../../deployment/job/apply-outcome.ts';
import { DEFAULT_POOL } from '../../../root/model.ts';
import type { TerraformFound } from '../../activities.ts';
import { aLock } from '../../../testing/samples.ts';
import { inOrder } from '../queue/queue.ts';
import { judgedAnswer } from '../queue/judged.ts';
import { find } from '../state/lane-state.ts';
import {
  aCancel,
  ADMITTED,
  aFollowingLane,
  after,
  aNotice,
  anUnlock,
  aRestoredLane,
  arrivalOf,
  aStartingLane,
  begin,
  deploymentAt,
  effectIn,
  endOf,
  NOW,
  NOW_MS,
  progressAs,
} from '../../../testing.ts';
import type { LaneActor } from './actor.ts';
import type { LaneMessage } from './events.ts';

const cancelling = (deploymentId: string): LaneMessage => ({
  kind: 'cancel',
  at: NOW,
  message: aCancel({ requestId: 'cancel-1', deploymentId, by: 'carol' }),
});
const CANCEL_LANE = { kind: 'cancel-requested', at: NOW } as const;

const statusOf = ({ state }: LaneActor, id: string) => find(state, id)?.progress.status;

/** A lane whose record says that the first commit is deployed. */
const aFindingLane = (changes: Parameters<typeof deploymentAt>[1] = {}) =>
  begin(aRestoredLane({ running: deploymentAt(1, changes) }))[0];
const found = (lane: LaneActor, what: TerraformFound) => after(lane, { kind: 'found', deploymentId: '1', found: what });

describe('what became of a deployment that this run did not start', () => {
  test('it runs: it is followed, its check run is its own, and it is asked to tell its end, as nobody hears of its close', () => {
    const lane = found(aFindingLane(), { kind: 'running' });

    expect(lane.stage.kind).toBe('following');
    expect(lane.showing.reported['1']).toMatchObject({ isHandedOver: true });
    expect(lane.passOns).toEqual([{ kind: 'show-again', deploymentId: '1', tellsEnd: true }]);
  });

  test.each([
    ['its end was asked for', aFindingLane({ cancellation: aCancel() }), aCancel()],
    ['its lane is cancelled', after(aFindingLane(), CANCEL_LANE), undefined],
  ])('it runs although %s: its workflow is asked again', (_why, lane, cancellation) => {
    expect(found(lane, { kind: 'running' }).passOns.at(-1)).toEqual({
      kind: 'cancel',
      deploymentId: '1',
      cancellation,
    });
  });

  test('it ended: so it has here', () => {
    const lane = found(aFindingLane(), { kind: 'ended', progress: progressAs('succeeded') });

    expect(lane).toMatchObject({
      stage: { kind: 'none' },
      state: { latest: { deploymentId: '1', status: 'succeeded' } },
    });
  });

  test('it ended, as another run may have been told: whoever writes its check run is asked to write its end', () => {
    const running = found(aFindingLane({ unlocked: anUnlock() }), { kind: 'running' });
    const told = [
      found(aFindingLane(), { kind: 'ended', progress: progressAs('succeeded') }),
      after(running, endOf('1')),
    ];

    expect(told.map(({ passOns }) => passOns)).toEqual([
      [{ kind: 'show-again', deploymentId: '1', tellsEnd: true }],
      [{ kind: 'show-again', deploymentId: '1', unlocked: anUnlock(), tellsEnd: true }],
    ]);
  });

  test('it completed: its check run is as its workflow left it', () => {
    const result = {
      progress: progressAs('succeeded'),
      checkRuns: [{ id: 7, completed: true }],
      reported: { digest: 'its end' },
    };

    const lane = found(aFindingLane(), { kind: 'completed', result });

    expect(lane.state.ended).toMatchObject([{ id: '1', checkRuns: result.checkRuns }]);
    expect([lane.showing.reported['1'], lane.passOns]).toEqual([result.reported, []]);
  });

  test('it was never started: it goes first, with a check run of the lane', () => {
    const lane = found(aFindingLane(), { kind: 'not-started' });

    expect(inOrder(lane.state.queue)).toMatchObject([{ id: '1', progress: { status: 'queued' } }]);
    expect(lane.showing.reported['1']).not.toHaveProperty('isHandedOver');
  });

  test.each([
    ['its end was asked for', aFindingLane({ cancellation: aCancel() }), 'Cancelled by @carol'],
    ['its lane is cancelled', after(aFindingLane(), CANCEL_LANE), 'The lane was cancelled in Temporal.'],
  ])('it was never started, and %s: it ends', (_why, lane, reason) => {
    expect(found(lane, { kind: 'not-started' }).state.ended).toMatchObject([
      { id: '1', progress: { status: 'cancelled', reason } },
    ]);
  });

  const outcomes: readonly (readonly [ApplyOutcome | undefined, string, string])[] = [
    [{ kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } }, 'succeeded', 'SUCCESS'],
    [{ kind: 'failed', failure: { body: { summary: 'It failed', lines: [] } } }, 'apply-failed', 'FAILURE'],
    [{ kind: 'not-begun' }, 'cancelled', 'FAILURE'],
    [undefined, 'apply-outcome-unknown', 'UNKNOWN'],
  ];

  test.each(outcomes)(
    'it closed during its apply (%j): it %s, and the audit trail says %s',
    (outcome, status, state) => {
      const apply = { jobId: 'job', hostId: 'h1', ...(outcome && { outcome }) };

      const lane = found(aFindingLane(), { kind: 'closed', apply });

      expect(statusOf(lane, '1')).toBe(status);
      expect(lane.record.audits).toMatchObject([{ state }]);
      expect(lane.showing.reported['1']).toEqual({ creationUncertain: true });
    },
  );

  test('it closed before its apply: it is cancelled, and the audit trail needs nothing', () => {
    const lane = found(aFindingLane(), { kind: 'closed' });

    expect([statusOf(lane, '1'), lane.record.audits]).toEqual(['cancelled', []]);
  });

  test('the end of its apply is in the audit trail once, however often that is away', () => {
    const [lane, effects] = begin(found(aFindingLane(), { kind: 'closed', apply: { jobId: 'job' } }));
    const effect = effectIn(effects, 'settle');

    const stored = after(lane, { kind: 'settled', effect, stored: { kind: 'stored', version: '2' } });

    expect(effect.settlement.audits).toHaveLength(1);
    expect(
      [after(lane, { kind: 'failed', effect, why: 'away' }), stored].map(({ record }) => record.audits.length),
    ).toEqual([1, 0]);
  });

  test('nobody can say: it is asked later and later', () => {
    const effect = { kind: 'find', deploymentId: '1', pool: DEFAULT_POOL } as const;

    const lane = after(aFindingLane(), { kind: 'failed', effect, why: 'Temporal is away' });

    expect(lane).toMatchObject({ work: undefined, stage: { kind: 'find', dueAt: NOW_MS + 1_000 } });
    expect(after(aFollowingLane(), { kind: 'failed', effect, why: 'late' }).stage.kind).toBe('following');
  });

  test('it is gone, and what it began may not be over: that is waited for, and nothing else starts', () => {
    const lane = after(found(aFindingLane(), { kind: 'closing' }), arrivalOf(2));

    expect(lane).toMatchObject({ stage: { kind: 'find', dueAt: NOW_MS + 1_000 }, state: { running: { id: '1' } } });
  });

  test('an answer that is outdated changes nothing', () => {
    const following = aFollowingLane();

    expect(found(following, { kind: 'not-started' }).state).toBe(following.state);
  });
});

describe('a terraform workflow', () => {
  test('that ran before is asked for its end', () => {
    expect(after(aStartingLane(), { kind: 'already-started', deploymentId: '1' }).stage.kind).toBe('find');
  });

  test.each([
    ['started', { kind: 'started', deploymentId: '1' }],
    ['started before', { kind: 'already-started', deploymentId: '1' }],
    [
      'not started',
      {
        kind: 'failed',
        effect: { kind: 'start', deployment: deploymentAt(1), reported: {}, reviewRequired: false },
        why: 'late',
      },
    ],
  ] as const)('whose end is known holds up nothing by the answer that it was %s', (_how, answer) => {
    const lane = after(aStartingLane(), endOf('1'), answer);

    expect(lane.stage.kind).toBe('none');
    expect(effectIn(begin(after(lane, arrivalOf(2)))[1], 'admit').deploymentId).toBe('2');
  });

  test('ends its deployment with its result where it told nobody', () => {
    const result = { progress: progressAs('rejected'), checkRuns: [], reported: {} };

    const lane = after(aFollowingLane(), { kind: 'closed', deploymentId: '1', result });

    expect([statusOf(lane, '1'), lane.stage.kind]).toEqual(['rejected', 'none']);
  });

  test("that closed without a result is looked for; one whose end is known is the lane's to show", () => {
    const following = aFollowingLane();

    expect(after(following, { kind: 'closed', deploymentId: '1' }).stage.kind).toBe('find');
    expect(after(following, endOf('1'), { kind: 'closed', deploymentId: '1' }).showing.reported['1']).toEqual({
      creationUncertain: true,
    });
  });
});

describe('an end that somebody else tells', () => {
  test('is that of the running deployment, once', () => {
    const once = after(aFollowingLane(), endOf('1'));

    expect(statusOf(once, '1')).toBe('succeeded');
    expect(after(once, endOf('1', 'rejected')).state).toBe(once.state);
  });

  test('is that of a waiting one, which ran although this lane knows nothing of it', () => {
    const lane = after(aRestoredLane({ lock: aLock() }), arrivalOf(1), endOf('1'));

    expect(lane).toMatchObject({
      state: { latest: { deploymentId: '1' }, queue: { merged: [] } },
      stage: { kind: 'none' },
    });
  });

  test('says nothing of a waiting one while another runs: its start finds it', () => {
    const lane = after(aFollowingLane(), arrivalOf(2));

    expect(after(lane, endOf('2')).state).toBe(lane.state);
  });

  test('of a deployment that nobody knows, or that is none, changes nothing', () => {
    const lane = aFollowingLane();

    expect(after(lane, endOf('unheard-of', 'succeeded', true))).toEqual(lane);
    expect(after(lane, endOf('1', 'applying'))).toEqual(lane);
  });
});

describe('a deployment whose end is asked for', () => {
  const [admitting, effects] = begin(after(aRestoredLane(), arrivalOf(1)));
  const admitted = after(admitting, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: ADMITTED });

  test.each([
    ['is admitted', admitting],
    ['may start', admitted],
  ])('ends at once while it %s', (_when, lane) => {
    const cancelled = after(lane, cancelling('1'));

    expect(find(cancelled.state, '1')).toMatchObject({
      progress: { status: 'cancelled', reason: 'Cancelled by @carol' },
    });
    expect([cancelled.stage.kind, cancelled.passOns]).toEqual(['none', []]);
    expect(judgedAnswer(cancelled.state.judged, 'cancel-1')).toEqual({ kind: 'cancelling' });
  });

  test.each([
    ['is started', aStartingLane()],
    ['runs', aFollowingLane()],
    ['is looked for', aFindingLane()],
  ])('goes on while it %s, until its workflow has heard of it', (_when, lane) => {
    const cancelled = after(lane, cancelling('1'));

    expect(cancelled.passOns).toEqual([{ kind: 'cancel', deploymentId: '1', cancellation: aCancel() }]);
    expect(cancelled.state.running?.cancellation).toEqual(aCancel());
  });

  test('tells its workflow once, however often that is asked', () => {
    const again = {
      ...cancelling('1'),
      message: aCancel({ requestId: 'cancel-2', by: 'dave' }),
    } as LaneMessage;

    expect(after(aFollowingLane(), cancelling('1'), again).passOns).toHaveLength(1);
  });

  test('leaves the queue while it waits', () => {
    expect(statusOf(after(aFollowingLane(), arrivalOf(2), cancelling('2')), '2')).toBe('cancelled');
  });
});

describe('a lane that is cancelled', () => {
  test('ends what waits, asks what runs to end, once, and starts nothing', () => {
    const lane = after(aFollowingLane(), arrivalOf(2), CANCEL_LANE, CANCEL_LANE, arrivalOf(3));

    expect([statusOf(lane, '2'), statusOf(lane, '3')]).toEqual(['cancelled', 'queued']);
    expect(lane.passOns).toEqual([{ kind: 'cancel', deploymentId: '1' }]);
    expect(begin(after(lane, endOf('1')))[1].map(({ kind }) => kind)).not.toContain('pop');
  });

  test('where nothing runs asks nobody', () => {
    expect(after(aRestoredLane(), CANCEL_LANE).passOns).toEqual([]);
  });
});

describe('a message for a terraform workflow', () => {
  const noticing: LaneMessage = {
    kind: 'notice',
    at: NOW,
    message: aNotice({ deploymentId: '1', sentence: 'Too late.' }),
  };
  const passOn = { kind: 'notice', deploymentId: '1', notice: aNotice() } as const;

  test('is passed on to the one that shows the deployment', () => {
    const [lane, effects] = begin(after(aFollowingLane(), noticing));

    expect(effectIn(effects, 'pass-on').passOn).toEqual(passOn);
    expect(lane.passOns).toEqual([]);
    expect(after(lane, { kind: 'passed-on', passOn, isThere: true })).toEqual(lane);
  });

  test('waits until its workflow is there', () => {
    expect(begin(after(aStartingLane(), cancelling('1')))[1].map(({ kind }) => kind)).not.toContain('pass-on');
  });

  test("that finds it closed makes the lane look for its end, and is the lane's to show", () => {
    const lane = after(aFollowingLane(), { kind: 'passed-on', passOn, isThere: false });

    expect(lane.stage.kind).toBe('find');
    expect(lane.state.notices['1']?.sentence).toBe('Too late.');
  });

  test('that is about another deployment does not wait for it', () => {
    const lane = { ...aStartingLane(), passOns: [{ kind: 'show-again', deploymentId: '0' }] } as const;

    expect(effectIn(begin(lane)[1], 'pass-on').passOn.deploymentId).toBe('0');
  });

  test('that was about a cancellation, or comes back after the end, changes nothing else', () => {
    const ended = after(aFollowingLane(), endOf('1'));
    const cancel = { kind: 'cancel', deploymentId: '1', cancellation: aCancel() } as const;

    expect(after(ended, { kind: 'passed-on', passOn: cancel, isThere: false }).state).toEqual(ended.state);
    expect(after(ended, { kind: 'failed', effect: { kind: 'pass-on', passOn: cancel }, why: 'away' })).toEqual(ended);
  });
});
