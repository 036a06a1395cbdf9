import { describe, expect, test } from '@jest/globals';
import { openPullRequest, type PullRequestActor } from './actor.ts';
import { decidePullRequest, nextPullRequestEffect, type PullRequestEffect, type PullRequestEvent } from './decide.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const NEWS: PullRequestEvent = { kind: 'news', message: { version: 1 } };
const LOOKED: PullRequestEvent = { kind: 'looked', looked: { sentence: 'planned', isOpen: true, underWay: [] } };

const deployed = (root: string): PullRequestEvent => ({ kind: 'news', message: { version: 1, deployed: root } });

describe('a pull request', () => {
  test('without news ends after a minute', () => {
    expect(next(opened())).toEqual({ kind: 'wait', until: NOW + 60_000 });
    expect(next(after(opened(), NOW + 60_000), NOW + 60_000)).toEqual({ kind: 'finish', how: 'idle' });
  });

  test('is looked at, shown, and then waits for a minute', () => {
    const looking = begin(after(opened(), NOW, NEWS));
    const showing = begin(after(looking, NOW, LOOKED));

    expect([looking.work, showing.work]).toEqual(['look', 'show']);
    const rested = after(showing, NOW + 5_000, { kind: 'shown' });
    expect(next(rested, NOW + 5_000)).toEqual({ kind: 'wait', until: NOW + 65_000 });
  });

  test('is looked at once more after news that came meanwhile', () => {
    const looking = begin(after(opened(), NOW, NEWS));

    const looked = after(looking, NOW, NEWS, NEWS, LOOKED);

    expect(next(looked)).toEqual({ kind: 'look', roots: [] });
  });

  test('has its roots planned again once a minute at most', () => {
    const planned = begin(after(opened(), NOW, deployed('network')));
    const rested = after(begin(after(planned, NOW, LOOKED)), NOW, { kind: 'shown' });

    const again = after(rested, NOW + 1_000, deployed('network'), deployed('dns'));

    expect(next(again, NOW + 1_000)).toEqual({ kind: 'wait', until: NOW + 60_000 });
    expect(next(again, NOW + 60_000)).toEqual({ kind: 'look', roots: ['network', 'dns'] });
  });

  test('that cannot be looked at is tried again twice, with its roots, and then waits for news', () => {
    let actor = after(opened(), NOW, deployed('network'));
    const waits: number[] = [];
    for (let at = NOW; waits.length < 3;) {
      const effect = next(actor, at);
      actor = after(begin(actor, at), at, { kind: 'failed', effect, why: 'GitHub is away' });
      actor = after(begin(actor, at), at, { kind: 'shown' });
      const wait = next(actor, at);
      if (wait.kind !== 'wait') throw new Error(`expected a wait, found ${wait.kind}`);
      waits.push(wait.until - at);
      at = wait.until;
    }

    expect(waits).toEqual([300_000, 1_800_000, 60_000]);
    expect(actor).toMatchObject({ sentence: 'It could not be looked at: GitHub is away', deployed: [] });
  });

  test('goes on in a new run only when nothing is under way, with what is to be done', () => {
    const looking = begin(after(opened(), NOW, NEWS));
    const waiting = after(looking, NOW, deployed('network'));

    expect(nextPullRequestEffect(waiting, NOW, true)).toEqual({ kind: 'wait', until: Infinity });
    expect(nextPullRequestEffect(after(waiting, NOW, LOOKED), NOW, true)).toMatchObject({
      kind: 'continue-as-new',
      input: { hasNews: true, deployed: ['network'] },
    });
  });

  test('that is cancelled ends at once', () => {
    const looking = begin(after(opened(), NOW, NEWS));

    const cancelled = after(looking, NOW, { kind: 'cancel-requested', at: '2026-01-31T14:00:00.000Z' });

    expect(next(cancelled)).toEqual({ kind: 'finish', how: 'cancelled' });
  });
});

function opened(): PullRequestActor {
  return openPullRequest({ repository: REPOSITORY, number: 7 }, NOW);
}

function next(actor: PullRequestActor, now = NOW): PullRequestEffect {
  return nextPullRequestEffect(actor, now, false);
}

function after(actor: PullRequestActor, now: number, ...events: readonly PullRequestEvent[]): PullRequestActor {
  return decidePullRequest(actor, events, now);
}

/** The next effect has begun. */
function begin(actor: PullRequestActor, now = NOW): PullRequestActor {
  return after(actor, now, { kind: 'begun', effect: next(actor, now) });
}
