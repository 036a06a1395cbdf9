import { describe, expect, test } from '@jest/globals';
import type { DeploymentRequest } from '../../../deployment/request.ts';
import type { Admitted } from '../../activities.ts';
import type { LaneRecord } from '../../record.ts';
import { inOrder } from '../queue/queue.ts';
import { find } from '../state/lane-state.ts';
import {
  ADMITTED,
  NOW,
  NOW_MS,
  aCancel,
  aRestoredLane,
  aStartingLane,
  after,
  arrivalOf,
  begin,
  deploymentAt,
  effectIn,
  shaAt,
  shown,
} from '../../../testing.ts';
import type { GateWait } from '../../../gates/waits/gate-wait.ts';
import type { LaneActor } from './actor.ts';
import { decide } from './decide.ts';
import type { LaneMessage } from './events.ts';

const latest = { deploymentId: '1', revision: shaAt(1), trigger: 'merge', status: 'succeeded', at: NOW } as const;
const newest: Partial<DeploymentRequest> = { root: { ...deploymentAt(1).root, queue: 'newest' } };

/** A lane that asked whether the second commit may run. */
function anAdmittingLane(changes: Partial<DeploymentRequest> = {}, record: Partial<LaneRecord> = { latest }) {
  const [lane, effects] = begin(after(aRestoredLane(record), arrivalOf(2, changes)));
  return { lane, effect: effectIn(effects, 'admit') };
}

const admitted = (answer: Partial<Admitted>, changes?: Partial<DeploymentRequest>) => {
  const { lane, effect } = anAdmittingLane(changes);
  return after(lane, { kind: 'admitted', effect, admitted: { ...ADMITTED, ...answer } });
};

const compared = (comparison: 'ahead' | 'behind' | 'diverged') =>
  ({ comparison: { kind: 'compared', comparison } }) as const;
const away = { kind: 'unanswered', why: 'GitHub is away' } as const;

const cancelling = (deploymentId: string): LaneMessage => ({
  kind: 'cancel',
  at: NOW,
  message: aCancel({ requestId: 'cancel-1', deploymentId, by: 'carol' }),
});

const statusOf = ({ state }: LaneActor, id: string) => find(state, id)?.progress.status;

describe('at a closed gate, a lane', () => {
  const HOUR_MS = 3_600_000;
  const wait = { gate: 'window', who: ['operators'], until: NOW_MS + 30 * HOUR_MS } as const;
  const closed = { ...wait, sentence: 'Closed until Mon 08:00 UTC' };

  test('says why its deployment waits, and asks for nothing meanwhile', () => {
    const lane = admitted({ closed });

    expect(lane.state.running?.progress).toMatchObject({
      ...{ status: 'blocked', waitsFor: wait },
      reason: 'Closed until Mon 08:00 UTC',
    });
    expect(begin(shown(lane), { now: NOW_MS + 599_999 })[1].map(({ kind }) => kind)).not.toContain('admit');
  });

  test('asks again within ten minutes, later and later, and when the gate opens', () => {
    let lane = admitted({ closed });
    const pauses: number[] = [];
    for (let now = NOW_MS; now < NOW_MS + 3 * HOUR_MS;) {
      const dueAt = 'dueAt' in lane.stage ? lane.stage.dueAt : now;
      pauses.push((dueAt - now) / 60_000);
      now = dueAt;
      const [asking, effects] = begin(shown(lane), { now });
      lane = decide(
        asking,
        [{ kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: { ...ADMITTED, closed } }],
        now,
      );
    }

    expect(pauses).toEqual([10, 20, 40, 60, 60]);
    const soon = admitted({ closed: { ...closed, until: NOW_MS + 60_000 } });
    expect(soon.stage).toMatchObject({ dueAt: NOW_MS + 60_000 });
  });

  test('then asks for the deployment whose turn it is by then', () => {
    const [first, effects] = begin(after(aRestoredLane({}), arrivalOf(2, newest)));
    const waiting = after(first, {
      kind: 'admitted',
      effect: effectIn(effects, 'admit'),
      admitted: { ...ADMITTED, closed },
    });
    const lane = shown(after(waiting, arrivalOf(3, newest)));

    const [, asked] = begin(lane, { now: NOW_MS + 600_000 });

    expect(effectIn(asked, 'admit').deploymentId).toBe('3');
  });

  test('asks at once when somebody says that the answer may be another one', () => {
    const woken = after(admitted({ closed }), { kind: 'look-again', at: NOW });

    expect(begin(shown(woken))[1].map(({ kind }) => kind)).toContain('admit');
  });

  test('asks again at once, and once, when somebody says so during the question', () => {
    const { lane, effect } = anAdmittingLane();
    const answer = { kind: 'admitted', effect, admitted: { ...ADMITTED, closed } } as const;
    const rung = after(after(lane, { kind: 'look-again', at: NOW }), answer);
    const [asking, effects] = begin(shown(rung));
    const again = after(asking, { ...answer, effect: effectIn(effects, 'admit') });

    expect(rung.state.running?.progress).toMatchObject({ status: 'blocked', waitsFor: { gate: 'window' } });
    expect(begin(shown(again))[1].map(({ kind }) => kind)).not.toContain('admit');
    expect(again.stage).toMatchObject({ dueAt: NOW_MS + 600_000 });
  });

  /** The pauses, in seconds, while the lane asks again whenever it is due and gets these answers. */
  const pausesWith = (answers: readonly GateWait[]) => {
    const { lane: first, effect: asked } = anAdmittingLane();
    let [lane, effect, now] = [first, asked, NOW_MS];
    return answers.map((answer) => {
      const waiting = decide(lane, [{ kind: 'admitted', effect, admitted: { ...ADMITTED, closed: answer } }], now);
      const dueAt = 'dueAt' in waiting.stage ? waiting.stage.dueAt : now;
      const pauseMs = dueAt - now;
      now = dueAt;
      const [asking, effects] = begin(shown(waiting), { now });
      [lane, effect] = [asking, effectIn(effects, 'admit')];
      return pauseMs / 1_000;
    });
  };
  const unread: GateWait = { gate: 'stop', who: ['operators'], sentence: 'Nereid cannot read them', askAgain: 'soon' };

  test('asks again within seconds while its facts cannot be read, at growing pauses of five minutes at most', () => {
    expect(pausesWith(Array.from({ length: 9 }, () => unread))).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  test('asks again within seconds after one failed read, also after a long wait, and waits as usual afterwards', () => {
    expect(pausesWith([closed, closed, unread, unread, closed, closed])).toEqual([600, 1_200, 5, 10, 600, 1_200]);
  });

  test('asks again within a second after one failed read of anything else, also after a long wait', () => {
    const waiting = admitted({ closed });
    const [asking, effects] = begin(shown(waiting), { now: NOW_MS + 600_000 });
    const effect = effectIn(effects, 'admit');
    const blocked = decide(
      asking,
      [{ kind: 'admitted', effect, admitted: { ...ADMITTED, comparison: away } }],
      NOW_MS + 600_000,
    );

    expect(blocked.stage).toMatchObject({ dueAt: NOW_MS + 601_000 });
  });

  test('asks again when the answer may be another one, which nobody would tell it: a lease lapses', () => {
    const lapses = { gate: 'budget', who: [], sentence: '1 of 1 plan on rate', askAgain: NOW_MS + 400_000 } as const;

    const lane = admitted({ closed: lapses });

    expect(lane.stage).toMatchObject({ dueAt: NOW_MS + 400_000 });
    expect(lane.state.running?.progress.waitsFor).toEqual({ gate: 'budget', who: [] });
  });

  test('ends a deployment that is cancelled', () => {
    expect(statusOf(after(admitted({ closed }), cancelling('2')), '2')).toBe('cancelled');
  });
});

describe('before a deployment starts', () => {
  test('a question that was not answered is asked again at once when somebody says that the answer may be another one', () => {
    const blocked = admitted({ comparison: away });
    const woken = after(blocked, { kind: 'look-again', at: NOW });

    expect([blocked, woken].map(({ stage }) => 'dueAt' in stage && stage.dueAt <= NOW_MS)).toEqual([false, true]);
  });

  test('its revision is compared with what is deployed, unless that is nothing or itself', () => {
    expect(anAdmittingLane().effect.admission.compareWith).toBe(shaAt(1));
    expect(anAdmittingLane({}, {}).effect.admission).not.toHaveProperty('compareWith');
    expect(anAdmittingLane({}, { latest: { ...latest, revision: shaAt(2) } }).effect.admission).not.toHaveProperty(
      'compareWith',
    );
  });

  test('a merge is also compared with the merge before a manual deployment, and skipped when that one contains it', () => {
    const byHand = { latest: { ...latest, trigger: 'manual', mergeBefore: shaAt(9) } as const };
    const { lane, effect } = anAdmittingLane({}, byHand);
    const answer = { ...compared('diverged'), comparisonWithMerge: compared('behind').comparison };
    const judged = after(lane, { kind: 'admitted', effect, admitted: { ...ADMITTED, ...answer } });

    expect(effect.admission).toMatchObject({ compareWith: shaAt(1), compareWithMerge: shaAt(9) });
    expect(judged.state.ended).toMatchObject([{ progress: { status: 'skipped' } }]);
    for (const changes of [{ trigger: 'manual', rerun: true }, { trigger: 'manual' }] as const)
      expect(anAdmittingLane(changes, byHand).effect.admission).not.toHaveProperty('compareWithMerge');
  });

  test.each([
    ['ahead', 'start', undefined],
    ['behind', 'none', 'skipped'],
  ] as const)('a merge that is %s of it is judged (%s)', (comparison, stage, ended) => {
    const lane = admitted(compared(comparison));

    expect(lane.stage.kind).toBe(stage);
    expect(lane.state.ended.map(({ progress }) => progress.status)).toEqual(ended === undefined ? [] : [ended]);
  });

  test('a rerun of what is deployed runs, a merge of it is skipped', () => {
    const again = { latest: { ...latest, revision: shaAt(2) } };
    const judge = (rerun: boolean) => {
      const { lane, effect } = anAdmittingLane({ rerun }, again);
      return after(lane, { kind: 'admitted', effect, admitted: { stored: ADMITTED.stored } }).stage.kind;
    };

    expect([judge(true), judge(false)]).toEqual(['start', 'none']);
  });

  test('where nothing is deployed, everything runs', () => {
    const { lane, effect } = anAdmittingLane({}, {});

    expect(after(lane, { kind: 'admitted', effect, admitted: { stored: ADMITTED.stored } }).stage.kind).toBe('start');
  });

  test('the token of the admission is handed to the deployment', () => {
    const about = { version: 1, repository: { owner: 'acme', name: 'infra' }, deploymentId: '2' } as const;
    const readToken = { body: { ...about, sealed: 'sealed' }, signature: 'signed by control' };

    const [, effects] = begin(admitted({ ...compared('ahead'), readToken }));

    expect(effectIn(effects, 'start').readToken).toBe(readToken);
  });

  test('a review is required of a history that diverged, with a warning', () => {
    const lane = admitted(compared('diverged'));

    expect(lane.stage).toEqual({ kind: 'start', reviewRequired: true });
    expect(lane.state.running?.warning).toContain('does not contain it');
  });

  test.each([
    ['the comparison', { comparison: away }, 'Cannot compare with 0000000: GitHub is away'],
    ['the other comparison', { comparisonWithMerge: away }, 'Cannot compare with : GitHub is away'],
    ['what it contains', { contained: away }, 'Cannot see what 0000000 contains: GitHub is away'],
    ['the store', { stored: away }, 'Cannot store the lane: GitHub is away'],
    [
      'the record',
      { stored: { kind: 'unreadable', why: 'it is broken' } as const },
      'Cannot store the lane: it is broken',
    ],
  ])('it is visibly blocked where %s cannot be had', (_what, answer, reason) => {
    expect(admitted(answer).state.running?.progress).toMatchObject({ status: 'blocked', reason });
  });

  test('what could not be had is asked for again, later and later, and then it starts', () => {
    const { lane, effect } = anAdmittingLane();
    const answer = { kind: 'admitted', effect, admitted: { ...ADMITTED, comparison: away } } as const;

    const once = after(lane, answer);
    const twice = after(once, answer);
    const over = after(twice, { ...answer, admitted: ADMITTED });

    expect([once, twice].map(({ stage }) => 'dueAt' in stage && stage.dueAt - NOW_MS)).toEqual([1_000, 2_000]);
    expect(begin(once)[1].map(({ kind }) => kind)).not.toContain('admit');
    expect(over).toMatchObject({ stage: { kind: 'start' }, state: { running: { progress: { status: 'preparing' } } } });
  });

  test('it is blocked where the whole activity failed, and so it is where its workflow cannot be started', () => {
    const { lane, effect } = anAdmittingLane();
    const starting = aStartingLane();
    const start = { kind: 'start', deployment: deploymentAt(1), reported: {}, reviewRequired: false } as const;

    const failed = after(lane, { kind: 'failed', effect, why: 'the worker is gone' });
    const unstarted = after(starting, { kind: 'failed', effect: start, why: 'Temporal is full' });

    expect(failed).toMatchObject({
      stage: { kind: 'admit', waitMs: 1_000 },
      state: { running: { progress: { reason: 'the worker is gone' } } },
    });
    expect(unstarted).toMatchObject({
      stage: { kind: 'admit' },
      state: { running: { progress: { reason: 'Cannot start its terraform workflow: Temporal is full' } } },
    });
    expect(unstarted.showing.reported['1']).not.toHaveProperty('isHandedOver');
  });

  test('where the newest goes first, those that it contains go with it', () => {
    const both = after(aRestoredLane({}), arrivalOf(1, newest), arrivalOf(2, newest));
    const [lane, effects] = begin(both);
    const effect = effectIn(effects, 'admit');
    const contained = { kind: 'listed', shas: [shaAt(1)] } as const;

    const over = after(lane, { kind: 'admitted', effect, admitted: { stored: ADMITTED.stored, contained } });

    expect(effect).toMatchObject({ deploymentId: '2', admission: { contains: [shaAt(1)] } });
    expect([inOrder(over.state.queue), statusOf(over, '1')]).toEqual([[], 'skipped']);
  });

  test('an answer about a deployment that ended meanwhile changes nothing', () => {
    const { lane, effect } = anAdmittingLane();
    const cancelled = after(lane, cancelling('2'));

    expect(after(cancelled, { kind: 'admitted', effect, admitted: ADMITTED }).state).toBe(cancelled.state);
    expect(after(cancelled, { kind: 'failed', effect, why: 'late' }).stage.kind).toBe('none');
  });

  test('a question that failed blocks only the deployment that it was about', () => {
    const { lane, effect } = anAdmittingLane();
    const goneOn = { ...after(lane, cancelling('2'), arrivalOf(3)), work: undefined };
    const [next] = begin(shown(goneOn));

    const failed = after(next, { kind: 'failed', effect, why: 'late' });

    expect(next.state.running?.id).toBe('3');
    expect(failed.state.running?.progress.reason).toBeUndefined();
  });
});

describe('the first check run of a deployment that has its turn', () => {
  const shownAs = { kind: 'shown', deploymentId: '2', checkRuns: [{ id: 7, completed: false }] } as const;
  const startAfter = (answer: Partial<Admitted>) => effectIn(begin(admitted(answer))[1], 'start');

  test('is written with the question, and the deployment starts with it', () => {
    const { deployment, reported } = startAfter({ shown: shownAs });

    expect(anAdmittingLane().effect.admission.show).toMatchObject({ deployment: { id: '2' } });
    expect(deployment.checkRuns).toEqual([{ id: 7, completed: false }]);
    expect(reported).toEqual({ digest: expect.any(String) });
  });

  test('costs no write of the record: its number can be found again', () => {
    expect(admitted({ shown: shownAs }).record.isDirty).toBe(false);
  });

  test.each<[string, Partial<Admitted>]>([
    ['GitHub did not take it', { shown: { kind: 'failed', deploymentId: '2', why: 'away' } }],
    ['nobody knows whether GitHub took it', {}],
  ])('is looked for by the next write where %s, and holds up nothing', (_why, answer) => {
    expect(startAfter(answer)).toMatchObject({ deployment: { checkRuns: [] }, reported: { creationUncertain: true } });
  });

  test('does not wait for git', () => {
    const waiting = after(aRestoredLane({}), arrivalOf(1, newest), arrivalOf(2, newest));
    const [, effects] = begin(waiting);

    expect(effectIn(effects, 'admit').admission).not.toHaveProperty('show');
    expect(effectIn(effects, 'show').presentations).toHaveLength(2);
  });

  test('is tried again where the question failed', () => {
    const { lane, effect } = anAdmittingLane();
    const failed = after(lane, { kind: 'failed', effect, why: 'away' });
    const [, effects] = begin(failed, { now: NOW_MS + 2_000 });

    expect(failed.showing.sending).toBeUndefined();
    expect(effects.map(({ kind }) => kind)).toContain('show');
  });
});
