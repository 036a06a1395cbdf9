/** What a lane waits for, in words: the rules that decide are those of the lane. */
import { describe, expect, test } from '@jest/globals';
import { githubPages } from '@nereid/github-pages';
import { deploymentAt } from '@nereid/domain/testing';
import { briefly, type FleetLane, type ReviewWait } from './fleet-lane.ts';
import { linked } from './lane-sentence.ts';
import { laneSummaryOf } from './lane-summary.ts';
import { aFleetDeployment, aFleetLane, anUndeployed, latestAs, lockOf } from './testing.ts';

const ID = '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90';
const LANE = '?lane=acme%2Finfra%2Fnetwork';

const said = (more: Partial<FleetLane>) => {
  const { sentence, links } = laneSummaryOf(aFleetLane(more), githubPages('https://github.example'));
  return { sentence, links };
};

describe('a plan waits', () => {
  const inReview = (reviewWait?: ReviewWait, rules?: Parameters<typeof deploymentAt>[1]) => ({
    running: {
      ...briefly(deploymentAt(1, { id: ID, ...rules })),
      status: 'awaiting-review' as const,
      ...(reviewWait && { reviewWait }),
    },
  });
  const deployment = { text: 'deployment 3f2a8c1e', path: `deployments/${ID}${LANE}` };

  test('for its review, with a link to its page', () => {
    expect(said(inReview())).toEqual({
      sentence: 'Waiting for a review of deployment 3f2a8c1e.',
      links: [deployment],
    });
  });

  test('with what it would change, once that is known', () => {
    expect(said(inReview({ changes: '0 to add, 0 to change, 1 to destroy' })).sentence).toBe(
      'Waiting for a review of deployment 3f2a8c1e (0 to add, 0 to change, 1 to destroy).',
    );
  });

  test('for the person whom its rules name', () => {
    const root = { ...deploymentAt(1).root, permissions: { confirm: [{ users: ['bob'] }] } };

    expect(said(inReview(undefined, { root })).sentence).toBe("Waiting for @bob's review of deployment 3f2a8c1e.");
  });

  test('for an owner of the policies that deny it', () => {
    expect(said(inReview({ objecting: ['cost', 'tags'] }))).toEqual({
      sentence: 'The policies cost, tags deny the plan of deployment 3f2a8c1e: it waits for an owner to override that.',
      links: [deployment],
    });
  });

  test('for nobody, once somebody has answered', () => {
    expect(said(inReview({ answered: { by: 'bob', how: 'confirmed' } })).sentence).toBe(
      '@bob confirmed deployment 3f2a8c1e, whose apply has not begun.',
    );
  });
});

describe('a lane that stands still names', () => {
  test('the deployment that locked it, and what waits behind it', () => {
    expect(said({ lock: lockOf('manual'), waiting: [aFleetDeployment(), aFleetDeployment()] })).toEqual({
      sentence: 'Locked by a manual deployment of aaaaaaa by @bob; 2 deployments wait behind it.',
      links: [{ text: 'a manual deployment of aaaaaaa by @bob', path: `deployments/d0${LANE}` }],
    });
  });

  test('the apply that went wrong', () => {
    expect(said({ latest: latestAs('apply-failed') })).toMatchObject({
      sentence: 'The apply of aaaaaaa failed.',
      links: [{ path: `deployments/d0${LANE}` }],
    });
    expect(said({ latest: latestAs('apply-outcome-unknown') }).sentence).toBe('The apply of aaaaaaa was interrupted.');
  });

  test.each([
    [{ status: 'plan-failed', reason: 'Error: no such module' }, 'The plan of 0000000 by @alice failed: Error: no such module.'], // prettier-ignore
    [{ status: 'plan-failed' }, 'The plan of 0000000 by @alice failed.'],
    [{ status: 'host-lost' }, 'The host that worked on 0000000 by @alice was lost before anything was applied.'],
    [{ status: 'expired' }, 'The plan of 0000000 by @alice got no review in time.'],
    [{ status: 'refused', reason: 'The queue is full.' }, 'The deployment of 0000000 by @alice was refused: The queue is full.'], // prettier-ignore
  ] as const)('the deployment that left it undeployed: %j', (how, sentence) => {
    expect(said({ undeployed: [anUndeployed(2, how)] })).toEqual({
      sentence,
      links: [{ text: '0000000', path: `deployments/left-2${LANE}` }],
    });
  });

  test('nobody, when it is idle', () => {
    expect(said({ latest: latestAs('succeeded') })).toEqual({ sentence: undefined, links: undefined });
  });
});

describe('deployments that wait', () => {
  const waiting = [aFleetDeployment(), aFleetDeployment({ id: '2' })];

  test('for other lanes lead to these', () => {
    const waitsFor = 'waits for database, which awaits its review, and for dns, whose lane is locked';

    expect(said({ waiting, waitsFor })).toEqual({
      sentence: `0000000 by @alice ${waitsFor}; one deployment waits behind it.`,
      links: [
        { text: '0000000', path: `deployments/1${LANE}` },
        { text: 'database', path: 'lanes/acme/infra/database' },
        { text: 'dns', path: 'lanes/acme/infra/dns' },
      ],
    });
  });

  test('for anything else say so', () => {
    expect(said({ waiting, waitsFor: 'its record cannot be stored' }).sentence).toBe(
      '2 deployments wait: its record cannot be stored.',
    );
    expect(said({ waiting: waiting.slice(1) }).sentence).toBe('One deployment waits.');
  });

  test('for a host lead to the hosts', () => {
    const reason = 'Waiting for a host: 4 of 4 slots in use on 1 host';
    const running = aFleetDeployment({ status: 'preparing', waitsFor: 'host', reason });

    expect(said({ running })).toEqual({
      sentence: `0000000 by @alice: ${reason}.`,
      links: [
        { text: '0000000', path: `deployments/1${LANE}` },
        { text: 'host', path: 'hosts' },
      ],
    });
  });

  test('because of something outside give the reason', () => {
    const running = aFleetDeployment({ status: 'blocked', reason: 'Cannot compare with abc1234: GitHub is away' });

    expect(said({ running }).sentence).toBe('0000000 by @alice: Cannot compare with abc1234: GitHub is away.');
  });

  test('do not say that a turn comes which has come: before an apply, the page knows the gate', () => {
    const running = aFleetDeployment({ status: 'blocked' });

    expect(said({ running }).sentence).toBe('0000000 by @alice: it waits, and its page says for what.');
  });
});

test('links are found in their order, and one that is not in the text is left out', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => ({ text, path: text }));

  expect(
    linked(
      'x b a b y',
      [b, c, a, b].filter((link) => link !== undefined),
    ),
  ).toEqual(['x ', b, ' ', a, ' ', b, ' y']);
  expect(linked('none', [])).toEqual(['none']);
});
