import { beforeEach, expect, test } from '@jest/globals';
import type { Deployment, Unlock } from '@nereid/domain/deployment';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aBreakGlass, anUnlock, aPlan, deploymentAt, progressAs, REPOSITORY } from '@nereid/domain/testing';
import { notingSignatures, testSignatures } from '../../../testing/test-signatures.ts';
import { withProvenEnding, withProvenWords } from './proven-words.ts';

const ASKED_AT = '2026-01-31T14:00:00.000Z';
const AT = '2026-01-31T14:00:01.000Z';

let forged: string[];
let context: Parameters<typeof withProvenWords>[0];

beforeEach(() => {
  forged = [];
  context = { signatures: notingSignatures(forged) };
});

function liftedBy(by: string, rootName = deploymentAt(1).root.name): Promise<Signed<Unlock>> {
  return testSignatures.enclose('decision/unlock', anUnlock({ by, rootName, askedAt: ASKED_AT }).body);
}

function unlocked(by: Signed<Unlock>): Deployment {
  return { ...deploymentAt(1), progress: progressAs('apply-outcome-unknown'), unlocked: by };
}

test('the person who lifted a lock is named, with the time at which they asked', async () => {
  const by = await liftedBy('carol');

  const { deployment } = await withProvenWords(context, REPOSITORY, { deployment: unlocked(by) });

  expect(deployment.unlocked).toEqual(by);
  expect(forged).toEqual([]);
});

test('the person who let a plan pass stops and windows is named where control says so, of this very plan', async () => {
  const plan = aPlan();
  const { digest } = plan.made.body;
  const own = { repository: { owner: REPOSITORY.owner, name: REPOSITORY.name }, deploymentId: deploymentAt(1).id };
  const glassOf = (more: object) =>
    testSignatures.enclose('decision/break-glass', { ...aBreakGlass().body, ...own, digest, ...more });
  const shownWith = async (glass: Signed<BreakGlass>) => {
    const deployment = { ...deploymentAt(1), progress: { ...progressAs('applying'), plan, glass } };
    return (await withProvenWords(context, REPOSITORY, { deployment })).deployment.progress.glass;
  };
  const genuine = await glassOf({});

  expect(await shownWith(genuine)).toEqual(genuine);
  expect(await shownWith({ ...genuine, signature: 'made up' })).toBeUndefined();
  expect(await shownWith(await glassOf({ deploymentId: 'another' }))).toBeUndefined();
  expect(await shownWith(await glassOf({ digest: 'b2'.repeat(32) }))).toBeUndefined();
});

test.each<[string, () => Promise<Signed<Unlock>>]>([
  ['nobody signed it', async () => anUnlock({ by: 'officer' })],
  ['somebody else asked', async () => changed(await liftedBy('carol'), { by: 'officer' })],
  ['they asked for the lock of another lane', () => liftedBy('officer', 'another')],
  ['they asked at another time', async () => changed(await liftedBy('officer'), { askedAt: AT })],
])('nobody is named where %s, neither on the check run nor in the record', async (_what, forge) => {
  const deployment = unlocked(await forge());
  const record = { version: 1, repository: REPOSITORY, deployment, endedAt: AT } as const;

  const ending = await withProvenEnding(context, { record, audits: [], deletesPlan: false });
  const shown = await withProvenWords(context, REPOSITORY, { deployment });

  expect(JSON.stringify([ending, shown])).not.toContain('officer');
  expect(forged).toEqual(['decision/unlock', 'decision/unlock']);
});

function changed({ body, signature }: Signed<Unlock>, more: Partial<Unlock>): Signed<Unlock> {
  return { body: { ...body, ...more }, signature };
}
