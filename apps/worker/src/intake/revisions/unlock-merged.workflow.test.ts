/** What was deployed manually is merged: nothing is left that the next merge could undo, so the lane is unlocked. */
import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import type { EndedApply } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { DiscoveryBudgetError } from '@nereid/discovery';
import { RevisionTooLargeError } from '@nereid/git';
import { aLock } from '@nereid/domain/testing';
import type { FileChanges } from '@nereid/github-stand-in';
import { intakeStageOfThisFile, type Attempt } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const ROOTS = { 'network/main.tf': BACKEND, 'database/main.tf': BACKEND };
const PROVISIONER = {
  'network/run.tf': 'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "make"\n  }\n}\n',
};
const APPLIED = { kind: 'applied', counts: { added: 1, changed: 0, destroyed: 0, imported: 0 } } as const;

const stage = intakeStageOfThisFile();

interface Deployed {
  readonly infra: StagedRepository;
  readonly number: number;
  /** The head of the branch before the merge. */
  readonly before: string;
}

/** The head of a pull request was deployed to the root network, and locks its lane. */
async function aManualDeployment(outcome: EndedApply = APPLIED, more: FileChanges = {}): Promise<Deployed> {
  const infra = await stage.repository({ ...ROOTS, ...more });
  const { number, headSha: sha } = await infra.pullRequest({ 'network/main.tf': `${BACKEND}# wider` });
  const [id, jobId] = [randomUUID(), randomUUID()];
  const { repository } = infra;
  const { laneTurns, begunApplies } = stage.context;
  const revision = { sha, branch: 'feature-1', position: 1, title: 'A change', author: 'wim' };
  const root = { name: 'network', onFailure: 'continue' } as const;
  const deployment = { id, revision, trigger: 'manual', rerun: false, requestedBy: 'wim', root } as const;
  const at = new Date().toISOString();
  await laneTurns.change(repository, 'network', () =>
    Promise.resolve({ last: { deployment, at, pool: DEFAULT_POOL, jobIds: [jobId] } }),
  );
  await begunApplies.of(DEFAULT_POOL).begin(id, { hostId: 'h1', jobId });
  await begunApplies.of(DEFAULT_POOL).complete(id, outcome);
  await infra.lane('network').start({ lock: { ...aLock('manual'), deploymentId: id, revision: sha } });
  return { infra, number, before: await infra.head() };
}

async function merge(
  { infra, number, before }: Deployed,
  kind: 'merge' | 'squash' | 'rebase',
  attempt: Partial<Attempt> = {},
): Promise<void> {
  const after = await stage.standIn.mergePullRequest({ repository: infra.fullName, number }, { kind, by: 'ada' });
  const result = await stage.deliver({ ...infra.pushes(before, after), sender: 'ada' }, attempt);
  expect(result).toMatchObject({ kind: 'signalled', workflows: [infra.lane('network').id] });
}

test.each(['merge', 'squash', 'rebase'] as const)('a %s unlocks the lane, in the name of who merged', async (kind) => {
  const deployed = await aManualDeployment();

  await merge(deployed, kind);

  const view = await deployed.infra.lane('network').view();
  expect(view).not.toHaveProperty('lock');
  expect(view?.lifted).toMatchObject([{ kind: 'manual', unlock: { body: { by: 'ada' } } }]);
  const turn = await stage.context.laneTurns.read(deployed.infra.repository, 'network');
  expect(turn?.unlocked).toMatchObject({ by: 'ada' });
});

test('a merge that brings more to the root than was deployed leaves the lock', async () => {
  const { infra, number } = await aManualDeployment();
  const before = await infra.commit({ 'network/other.tf': '# of somebody else' });

  await merge({ infra, number, before }, 'squash');

  expect(await infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});

test('whatever when_modified says, a merge that brings more to the root leaves the lock', async () => {
  const file = 'version: 1\nroots: [{ dir: network, when_modified: ["main.tf"] }]\n';
  const { infra, number } = await aManualDeployment(APPLIED, { 'nereid.yaml': file });
  const before = await infra.commit({ 'network/policy.json': '{}' });

  await merge({ infra, number, before }, 'squash');

  expect(await infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});

test('where the root may read any file, a merge that brings more than was deployed leaves the lock', async () => {
  const { infra, number } = await aManualDeployment(APPLIED, PROVISIONER);
  const before = await infra.commit({ 'lib/h.py': '# of somebody else' });

  await merge({ infra, number, before }, 'squash');

  expect(await infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});

test('where the root may read any file, a merge of the same tree unlocks the lane', async () => {
  const deployed = await aManualDeployment(APPLIED, PROVISIONER);

  await merge(deployed, 'squash');

  expect(await deployed.infra.lane('network').view()).not.toHaveProperty('lock');
});

test.each([
  ['computing', new DiscoveryBudgetError('20 s of computing')],
  ['reading', new RevisionTooLargeError('at most 1 GiB', 'more', 'remove some')],
])('inputs that take too much %s leave the lock, and the merge is deployed', async (_what, error) => {
  const deployed = await aManualDeployment();
  const discovery = { ...stage.context.discovery, findInputs: () => Promise.reject(error) };

  await merge(deployed, 'squash', { discovery });

  expect(await deployed.infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});

test('a merge that brings more to another root unlocks the lane', async () => {
  const { infra, number } = await aManualDeployment();
  const before = await infra.commit({ 'database/other.tf': '# of somebody else' });

  await merge({ infra, number, before }, 'squash');

  expect(await infra.lane('network').view()).not.toHaveProperty('lock');
});

test.each<[string, EndedApply]>([
  ['failed', { kind: 'failed', failure: { body: { summary: 'no', lines: [] } } }],
  ['left an unknown outcome', { kind: 'unknown', why: 'nobody knows' }],
])('an apply that %s keeps its lock, whatever is merged', async (_how, outcome) => {
  const deployed = await aManualDeployment(outcome);

  await merge(deployed, 'squash');

  expect(await deployed.infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});

test("the server's file may keep the lock", async () => {
  const deployed = await aManualDeployment();
  const config = stage.context.server.current();
  const repositories = config.repositories.map((policy) => ({ ...policy, unlockOnMerge: false }));
  const current = jest.spyOn(stage.context.server, 'current').mockReturnValue({ ...config, repositories });

  await merge(deployed, 'squash');
  current.mockRestore();

  expect(await deployed.infra.lane('network').view()).toMatchObject({ lock: { kind: 'manual' } });
});
