import { describe, expect, test } from '@jest/globals';
import type { TerraformResult } from '../../../../deployment/terraform-workflow.ts';
import {
  ADMITTED,
  NOW,
  NOW_MS,
  aFollowingLane,
  aNotice,
  aStartingLane,
  after,
  anAdmittingLane,
  anUnlock,
  arrivalOf,
  begin,
  effectIn,
  endOf,
  progressAs,
  shown,
} from '../../../../testing.ts';
import type { LaneActor } from '../actor.ts';
import type { Effect, PassOn } from '../effects.ts';
import type { LaneEvent, LaneMessage } from '../events.ts';
import { appearance } from '../../check-runs/presentations.ts';

const manual = arrivalOf(1, { trigger: 'manual' });
const unlocking: LaneMessage = { kind: 'unlock', at: NOW, message: anUnlock({ requestId: 'u', by: 'carol' }) };
const noticing = (deploymentId = '1'): LaneMessage => ({
  kind: 'notice',
  at: NOW,
  message: aNotice({ deploymentId, sentence: 'Too late.' }),
});

const shows = (effects: readonly Effect[]) => effects.filter(({ kind }) => kind === 'show');

const sent = (lane: LaneActor) => ({ kind: 'show', presentations: lane.showing.sending ?? [] }) as const;

const answered = (lane: LaneActor, kind: 'limited' | 'refused') =>
  after(lane, {
    kind: 'shown',
    effect: sent(lane),
    results: [{ kind, deploymentId: '1', why: 'not now', retryAfterMs: 1_000 }],
  });

const resultOf = (changes: Partial<TerraformResult> = {}): TerraformResult => ({
  progress: progressAs('succeeded'),
  checkRuns: [{ id: 1, completed: true }],
  reported: { digest: 'its end' },
  ...changes,
});

const closed = (lane: LaneActor, result: TerraformResult) => after(lane, { kind: 'closed', deploymentId: '1', result });

/** As it is started while or after its first check run is created. */
function startOf(isShown: boolean) {
  const [admitting, effects] = anAdmittingLane();
  const told = isShown ? shown(admitting) : admitting;
  const [, next] = begin(after(told, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: ADMITTED }));
  return effectIn(next, 'start');
}

describe('a deployment is handed over to its terraform workflow', () => {
  test('with its check run and what that says', () => {
    const { deployment, reported } = startOf(true);

    expect(deployment.checkRuns).toEqual([{ id: 1, completed: false }]);
    expect(reported).toEqual({ digest: expect.any(String) });
  });

  test('while its check run is created: that may exist by then', () => {
    const { deployment, reported } = startOf(false);

    expect(deployment.checkRuns).toEqual([]);
    expect(reported).toEqual({ creationUncertain: true, digest: appearance({ deployment }) });
  });

  test.each([
    ['failed', (lane: LaneActor): LaneActor => after(lane, { kind: 'failed', effect: sent(lane), why: 'away' })],
    ['was limited', (lane: LaneActor): LaneActor => answered(lane, 'limited')],
    ['was refused', (lane: LaneActor): LaneActor => answered(lane, 'refused')],
  ])('while its check run is created: its workflow hears of it when that %s', (_how, fail) => {
    const [, effects] = begin(fail(aFollowingLane()));

    expect(effectIn(effects, 'pass-on').passOn).toEqual({ kind: 'show-again', deploymentId: '1' });
  });

  test('while its check run is created: nobody is told that it was', () => {
    expect(begin(shown(aFollowingLane()))[1].map(({ kind }) => kind)).not.toContain('pass-on');
  });

  test('while its check run is written: the next writer makes a new one, which no late write reaches', () => {
    const [admitting, effects] = anAdmittingLane();
    const [writing] = begin(shown(admitting), { now: NOW_MS });
    const [busy] = begin(after(writing, { ...noticing() }), { now: NOW_MS });

    const [, next] = begin(after(busy, { kind: 'admitted', effect: effectIn(effects, 'admit'), admitted: ADMITTED }));

    expect(busy.showing.sending).toHaveLength(1);
    const start = effectIn(next, 'start');
    expect(start.deployment.checkRuns).toEqual([{ id: 1, completed: true }]);
    expect(start.reported).not.toHaveProperty('digest');
  });
});

describe('what its terraform workflow shows', () => {
  test('the lane does not write, nor its end', () => {
    const following = shown(aFollowingLane());
    const ended = after(following, endOf('1'));

    expect(shows(begin(following, { now: NOW_MS + 60_000 })[1])).toEqual([]);
    expect(shows(begin(ended, { now: NOW_MS + 60_000 })[1])).toEqual([]);
  });

  test('is left to it where its check run is known late', () => {
    const late = shown(aFollowingLane());

    expect(late.state.running?.checkRuns).toEqual([{ id: 1, completed: false }]);
    expect(shows(begin(late)[1])).toEqual([]);
  });

  test.each([
    ['running', aFollowingLane(manual)],
    ['over', after(aFollowingLane(manual), endOf('1'))],
  ])('is told who lifted its lock, and what somebody is to read, while its deployment is %s', (_when, lane) => {
    const [told, effects] = begin(after(shown(lane), unlocking, noticing('1')), { now: NOW_MS + 60_000 });

    const passedOn = effects.flatMap((effect) => (effect.kind === 'pass-on' ? [effect.passOn] : []));
    expect(passedOn).toMatchObject([
      { kind: 'show-again', deploymentId: '1', unlocked: anUnlock({ requestId: 'u' }) },
      { kind: 'notice', deploymentId: '1', notice: aNotice() },
    ]);
    expect(told.passOns).toEqual([]);
    expect(shows(effects)).toEqual([]);
  });

  test.each([
    ['an unlock', unlocking],
    ['a notice', noticing('1')],
  ])("is the lane's to write with %s where nobody is there who could", (_what, message) => {
    const [passing, effects] = begin(after(shown(aFollowingLane(manual)), endOf('1'), message));
    const { passOn } = effectIn(effects, 'pass-on');

    const [writing, next] = begin(after(passing, { kind: 'passed-on', passOn, isThere: false }));

    expect(effectIn(next, 'show').presentations).toMatchObject([{ deployment: { id: '1' }, creationUncertain: true }]);
    expect(shows(begin(shown(writing), { now: NOW_MS })[1])).toEqual([]);
  });

  test("is the lane's again once that has closed, as it left it", () => {
    const lane = closed(shown(aFollowingLane()), resultOf());

    expect(lane.showing.reported['1']).toEqual({ digest: 'its end' });
    expect(lane.state.ended[0]).toMatchObject({ checkRuns: [{ id: 1, completed: true }] });
    expect(lane.record.kept).toEqual(['1']);
  });

  test('still has its notice on top once that has closed', () => {
    const notice = { sentence: 'Too late.', at: NOW, until: NOW };

    expect(closed(shown(aFollowingLane()), resultOf({ notice })).state.notices).toEqual({ 1: notice });
  });
});

describe('two writers of one deployment', () => {
  test('one more write makes true what the lane created late and its workflow never knew', () => {
    const ended = closed(
      shown(after(aFollowingLane(), endOf('1'))),
      resultOf({ checkRuns: [{ id: 2, completed: true }] }),
    );

    expect(ended.state.ended[0]?.checkRuns.map(({ id }) => id)).toEqual([1, 2]);
    expect(ended.showing.reported['1']).not.toHaveProperty('digest');
  });

  test('nothing of what the workflow made is forgotten where the lane hears of its own only after the close', () => {
    const writing = aFollowingLane();
    const results = [{ kind: 'shown', deploymentId: '1', checkRuns: [{ id: 1, completed: false }] }] as const;

    const ended = closed(writing, resultOf({ checkRuns: [{ id: 2, completed: true }] }));
    const late = after(ended, { kind: 'shown', effect: sent(writing), results });

    expect(late.state.ended[0]?.checkRuns.map(({ id }) => id)).toEqual([1, 2]);
    expect(shows(begin(late)[1])).toHaveLength(1);
  });

  test('a write that ends after the end may have covered it: the workflow writes that again, or the lane', () => {
    const ended = after(aFollowingLane(), endOf('1'));
    const late = [shown(ended), after(ended, { kind: 'failed', effect: sent(ended), why: 'GitHub is away' })];

    for (const lane of late) {
      const [asking, effects] = begin(lane);
      const { passOn } = effectIn(effects, 'pass-on');
      const alone = after(asking, { kind: 'passed-on', passOn, isThere: false });

      expect(passOn).toEqual({ kind: 'show-again', deploymentId: '1', tellsEnd: true });
      expect(shows(begin(asking, { now: NOW_MS + 60_000 })[1])).toEqual([]);
      expect(shows(begin(alone, { now: NOW_MS + 1_000 })[1])).toHaveLength(1);
    }
  });

  test.each([
    [
      'was closed before it heard of that',
      (passOn: PassOn): LaneEvent => ({ kind: 'passed-on', passOn, isThere: false }),
    ],
    [
      'cannot be told',
      (passOn: PassOn): LaneEvent => ({ kind: 'failed', effect: { kind: 'pass-on', passOn }, why: 'too many signals' }),
    ],
  ])('a write that may have covered the end is done once more where the workflow %s', (_how, answerTo) => {
    const late = after(after(aFollowingLane(), endOf('1')), {
      kind: 'failed',
      effect: sent(aFollowingLane()),
      why: '',
    });
    const [asking, effects] = begin(late);
    const { passOn } = effectIn(effects, 'pass-on');

    const lane = after(closed(asking, resultOf()), answerTo(passOn));

    expect(lane.showing.reported['1']).toEqual({ creationUncertain: true });
  });

  test('a write that failed after the close is done once more, and looked for', () => {
    const writing = aFollowingLane();

    const lost = after(closed(writing, resultOf()), { kind: 'failed', effect: sent(writing), why: 'GitHub is away' });

    expect(lost.showing.reported['1']).toEqual({ creationUncertain: true });
  });
});

test("a deployment whose workflow was closed by force is the lane's to show and to record", () => {
  const ended = after(shown(aFollowingLane()), endOf('1', 'cancelled', true));

  const [, effects] = begin(ended, { now: NOW_MS + 1_000 });

  expect(effectIn(effects, 'show').presentations).toHaveLength(1);
  expect(effectIn(effects, 'settle').settlement.ended).toMatchObject([{ deployment: { id: '1' } }]);
});

test('what is known of a check run is forgotten with its deployment', () => {
  const lane = aStartingLane();
  const { showing } = after({ ...lane, state: { ...lane.state, running: undefined } });

  expect(showing.reported).toEqual({});
});
