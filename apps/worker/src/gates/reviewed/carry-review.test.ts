/** Whether answers to a plan that could not be used count for an equal one. */
import { describe, expect, test } from '@jest/globals';
import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Carrying } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type MadePlan, type PlanReview } from '@nereid/domain/plan';
import type { Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { testSignatures } from '../../testing/test-signatures.ts';
import { beginContext } from '../testing/begin-context.ts';
import { carryReview } from './carry-review.ts';

const [FIRST, SECOND, CHANGES] = ['a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32)];
const DAY_MS = 86_400_000;

const PERMITTED = '[{ match: "*/*", plan_review: required, carry_review: same_plan }]';

async function aDeployment(root: Partial<Root> = {}): Promise<Deployment> {
  const usual = deploymentAt(1).root;
  const ordered = deploymentAt(1, { root: { ...usual, planReview: 'required', carryReview: 'same_plan', ...root } });
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, ordered));
  return { ...ordered, order };
}

function aPlanOf({ id, order = '' }: Deployment, more: Partial<MadePlan>): Promise<Signed<MadePlan>> {
  const summary = { ...NO_CHANGES, update: 1, resources: [], omitted: 0 };
  const of = { version: 1, deploymentId: id, order, digest: FIRST, changes: CHANGES } as const;
  return testSignatures.enclose('result/plan', { ...of, hasChanges: true, summary, ...more });
}

function anAnswer(more: Partial<PlanReview> = {}): Promise<Signed<PlanReview>> {
  const about = { version: 1, requestId: 'press:network', deploymentId: '1', digest: FIRST } as const;
  const who = { by: 'bob', byId: 7, teams: ['acme/sre'] };
  return testSignatures.enclose('decision/review', {
    ...{ ...about, answer: 'approved', ...who, at: new Date().toISOString() },
    ...more,
  });
}

interface Case {
  readonly root?: Partial<Root>;
  readonly first?: Partial<MadePlan>;
  readonly second?: Partial<MadePlan>;
  readonly answers?: readonly Partial<PlanReview>[];
}

async function carrying({ root = {}, first = {}, second = {}, answers = [{}] }: Case = {}): Promise<Carrying> {
  const deployment = await aDeployment(root);
  const made = await aPlanOf(deployment, { digest: SECOND, ...second });
  const earlier = await aPlanOf(deployment, first);
  const approvals = await Promise.all(answers.map((one) => anAnswer(one)));
  const plan = { made, reviewRequired: true };
  return { repository: REPOSITORY, deployment, plan, confirmed: { made: earlier, approvals } };
}

const judge = (asked: Carrying, repositories = PERMITTED) => carryReview(beginContext({ repositories }), asked);

describe('the answer to an equal plan', () => {
  test('counts for the one that was made in its place, as control signs it', async () => {
    const asked = await carrying();

    const found = await judge(asked);

    if (found.kind !== 'carried') throw new Error(`expected an answer, found ${found.why}`);
    const [approval] = found.approvals;
    const { body } = await testSignatures.open('decision/review', approval, { deploymentId: '1' });
    const { at, by, byId, teams } = asked.confirmed.approvals[0]?.body ?? {};
    expect(body).toMatchObject({ digest: SECOND, carriedFrom: FIRST, answer: 'approved', at, by, byId, teams });
    expect(body.requestId).not.toBe('press:network');
  });

  test('names the plan that the person saw, however often it is carried', async () => {
    const asked = await carrying({ answers: [{ carriedFrom: 'd4'.repeat(32) }] });

    expect(await judge(asked)).toMatchObject({ approvals: [{ body: { carriedFrom: 'd4'.repeat(32) } }] });
  });

  test('counts of each of several people', async () => {
    const asked = await carrying({ answers: [{}, { by: 'carol', byId: 8, requestId: 'press-2:network' }] });

    const found = await judge(asked);

    expect(found).toMatchObject({ approvals: [{ body: { by: 'bob' } }, { body: { by: 'carol' } }] });
  });
});

describe('people are asked again', () => {
  const long = new Date(Date.now() - 9 * DAY_MS).toISOString();
  const command = { kind: 'run', run: 'make' } as const;

  test.each<[string, Case, RegExp]>([
    ['where the plan changes something else', { second: { changes: 'd4'.repeat(32) } }, /something else/],
    [
      'where it is of another state',
      { first: { stateVersion: '7 aaaa' }, second: { stateVersion: '7 bbbb' } },
      /another state/,
    ],
    ['where a step of the plan runs a command', { root: { steps: { plan: [command], apply: [] } } }, /runs a command/],
    [
      'where a variable of the apply is made by one',
      { root: { steps: { plan: [], apply: [{ kind: 'env', name: 'A', run: 'date' }] } } },
      /runs a command/,
    ],
    ['where the answer is too old', { answers: [{ at: long }] }, /confirmed more than/],
    ['where nobody has answered', { answers: [] }, /nobody has confirmed/],
  ])('%s', async (_what, one, why) => {
    expect(await judge(await carrying(one))).toEqual({ kind: 'not-carried', why: expect.stringMatching(why) });
  });

  test('where the host does not know all of it', async () => {
    const found = await judge(await withoutChanges(await carrying()));

    expect(found).toEqual({ kind: 'not-carried', why: expect.stringMatching(/something else/) });
  });

  test('where the order asks about each plan', async () => {
    const found = await judge(await withoutPermission(await carrying()));

    expect(found).toEqual({ kind: 'not-carried', why: expect.stringMatching(/asks people about each/) });
  });

  test('where the file does not permit it any more', async () => {
    const found = await judge(await carrying(), '[{ match: "*/*", plan_review: required }]');

    expect(found).toEqual({ kind: 'not-carried', why: expect.stringMatching(/asks people about each/) });
  });
});

async function withoutChanges(asked: Carrying): Promise<Carrying> {
  const { changes: _unknown, ...body } = asked.plan.made.body;
  return { ...asked, plan: { ...asked.plan, made: await testSignatures.enclose('result/plan', body) } };
}

async function withoutPermission({ confirmed, plan, ...asked }: Carrying): Promise<Carrying> {
  const { carryReview: _off, ...root } = asked.deployment.root;
  const ordered = { ...asked.deployment, root };
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, ordered));
  const made = await testSignatures.enclose('result/plan', { ...plan.made.body, order });
  const earlier = await testSignatures.enclose('result/plan', { ...confirmed.made.body, order });
  return {
    ...{ ...asked, deployment: { ...ordered, order } },
    ...{ plan: { ...plan, made }, confirmed: { ...confirmed, made: earlier } },
  };
}

describe('what nobody signed is forged', () => {
  const forged = { code: 'FORGED' };
  const changed = <Body>({ body, signature }: Signed<Body>, more: Partial<Body>) => ({
    body: { ...body, ...more },
    signature,
  });

  test.each<[string, (asked: Carrying) => Carrying]>([
    [
      'an earlier plan',
      ({ confirmed, ...asked }) => ({
        ...asked,
        confirmed: { ...confirmed, made: changed(confirmed.made, { changes: 'e5'.repeat(32) }) },
      }),
    ],
    [
      'the present plan',
      ({ plan, ...asked }) => ({
        ...asked,
        plan: { ...plan, made: changed(plan.made, { changes: CHANGES, hasChanges: false }) },
      }),
    ],
    [
      'an answer',
      ({ confirmed, ...asked }) => ({
        ...asked,
        confirmed: { ...confirmed, approvals: confirmed.approvals.map((one) => changed(one, { by: 'carol' })) },
      }),
    ],
    ['an order', (asked) => ({ ...asked, deployment: { ...asked.deployment, requestedBy: 'carol' } })],
  ])('%s', async (_what, forge) => {
    await expect(judge(forge(await carrying()))).rejects.toMatchObject(forged);
  });

  test.each<[string, Case]>([
    ['an answer to another plan', { answers: [{ digest: 'f6'.repeat(32) }] }],
    ['a Reject', { answers: [{ answer: 'rejected' }] }],
    ["one person's answer twice", { answers: [{}, { requestId: 'press-2:network' }] }],
    ['an answer to another deployment', { answers: [{ deploymentId: '2' }] }],
    ['a plan of another order', { first: { order: 'another order' } }],
    ['a plan of another deployment', { first: { deploymentId: '2' } }],
  ])('%s', async (_what, one) => {
    await expect(judge(await carrying(one))).rejects.toMatchObject(forged);
  });
});
