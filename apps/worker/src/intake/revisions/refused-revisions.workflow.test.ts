import { afterEach, expect, test } from '@jest/globals';
import { CONFIG_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { DiscoveryBudgetError, type Discovery } from '@nereid/discovery';
import { RevisionTooLargeError } from '@nereid/git';
import { reconcileBranch } from '../../reconcile/reconcile-branch.ts';
import { intakeStageOfThisFile } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const NETWORK = { 'network/main.tf': BACKEND };
const WIDER = { 'network/main.tf': `${BACKEND}# wider` };

const stage = intakeStageOfThisFile();

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

/** A discovery that never has the time it needs, and counts how often it was asked. */
function exhausted(error: Error = new DiscoveryBudgetError('20 s of computing')) {
  let asked = 0;
  const refuse = async () => {
    asked += 1;
    return Promise.reject(error);
  };
  const discovery: Discovery = { ...stage.context.discovery, discoverRoots: refuse, findRoots: refuse };
  return { discovery, asked: () => asked };
}

function reconcile({ repository }: StagedRepository, discovery = stage.context.discovery) {
  const context = { ...stage.context, discovery };
  return reconcileBranch(context, { repository, branch: 'main' }, new AbortController().signal);
}

/** Seen by the reconciler, then pushed to: the push takes too long. */
async function anExhaustingPush() {
  const infra = await stage.repository(NETWORK);
  await reconcile(infra);
  const before = await infra.head();
  const sha = await infra.commit(WIDER);
  const { discovery, asked } = exhausted();
  const result = await stage.deliver(infra.pushes(before, sha), { discovery });
  return { infra, sha, discovery, asked, result };
}

test('a revision that takes too long has one failed check run that says so, and is no failure of the activity', async () => {
  const { infra, sha, result } = await anExhaustingPush();

  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('nereid.yaml has 1 problem(s)') });
  expect(infra.checkRuns()).toMatchObject([{ name: CONFIG_CHECK_RUN_NAME, headSha: sha, conclusion: 'failure' }]);
  expect(infra.checkRuns()[0]?.output.summary).toContain(
    'expected the roots of this revision to be found with at most 20 s of computing, found that it takes more; declare fewer',
  );
});

test('nothing computes for it again: neither the reconciler, nor another delivery, nor a command', async () => {
  const { infra, sha, discovery, asked } = await anExhaustingPush();

  expect(await reconcile(infra, discovery)).toEqual([]);
  await stage.deliver(infra.pushes(sha, sha), { discovery });

  expect(asked()).toBe(1);
  expect(infra.checkRuns()).toHaveLength(1);
});

test('the reconciler looks at one such revision of a branch at a time', async () => {
  const infra = await stage.repository(NETWORK);
  await reconcile(infra);
  await infra.commit(WIDER);
  await infra.commit(NETWORK);
  const { discovery, asked } = exhausted();

  await reconcile(infra, discovery);
  expect(asked()).toBe(1);
  await reconcile(infra, discovery);
  expect(asked()).toBe(2);
  await reconcile(infra, discovery);
  expect(asked()).toBe(2);
});

test('Re-run tries it again, and the next push brings it along', async () => {
  const { infra, sha } = await anExhaustingPush();
  const [shown] = infra.checkRuns();
  const checkRun = {
    id: shown?.id ?? 0,
    name: CONFIG_CHECK_RUN_NAME,
    headSha: sha,
    externalId: '',
    conclusion: 'failure',
  };

  expect(await stage.deliver(infra.reruns(checkRun))).toMatchObject({ workflows: [infra.lane('network').id] });

  const other = await anExhaustingPush();
  const next = await other.infra.commit({ 'README.md': 'more' });
  expect(await stage.deliver(other.infra.pushes(other.sha, next))).toMatchObject({
    workflows: [other.infra.lane('network').id],
  });
});

test('so is a revision that git does not list to its end', async () => {
  const infra = await stage.repository(NETWORK);
  const { discovery } = exhausted(
    new RevisionTooLargeError('at most 500000 files', '3000000 files', 'split the repository'),
  );

  const result = await stage.deliver(infra.pushes(await infra.head(), await infra.commit(WIDER)), { discovery });

  expect(result.kind).toBe('refused');
  expect(infra.checkRuns()[0]?.output.summary).toContain('expected at most 500000 files, found 3000000 files; split');
});
