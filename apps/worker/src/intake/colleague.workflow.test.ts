/**
 * Ways around the rules: who may confirm what they brought themselves, or what takes a team; rules of a directory; the
 * requirements of a manual deployment. Each is tried by wim, who may write, and refused with a sentence that wim is shown.
 */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Deployment } from '@nereid/domain/deployment';
import type { IntakeResult } from '@nereid/domain/intake';
import { aDeployment, aLock } from '@nereid/domain/testing';
import type { FileChanges, NewPullRequest } from '@nereid/github-stand-in';
import { asOrdered } from '../testing/test-signatures.ts';
import {
  aGuardedRepository,
  commitTo,
  planThatWaits,
  pressConfirm,
  type AuthoredCommit,
  type GuardedPlan,
} from './testing/guarded-plan.ts';
import { intakeStageOfThisFile } from './testing/intake-stage.ts';
import type { PushedCommit } from './testing/push-commits.ts';
import { BACKEND, type OpenedPullRequest, type StagedRepository } from './testing/staged-repository.ts';

const ROOTS = { 'guarded/main.tf': BACKEND, 'prod/network/main.tf': BACKEND, 'easy/main.tf': BACKEND };
const CHANGE = { 'guarded/a.tf': '' };

const ITS_OWN = '@wim may not confirm this: it takes somebody who did not bring this change';
const NOBODY_KNOWS = 'GitHub does not know everybody who brought this change, so it takes admin permission';
const OFFICERS = '@wim may not confirm this: it takes a member of acme/officers';
const NOT_KNOWN = 'neither the lane nor a record knows this deployment';
const NOT_APPROVED = 'the current head of the pull request has to be approved by somebody with write permission';
const MOVED = 'moved after your comment: look at its head, then comment again';

const stage = intakeStageOfThisFile();

beforeAll(() => stage.standIn.setTeam('acme', 'officers', ['ada']));

/** Nothing was asked of GitHub that it would not understand. */
afterEach(() => stage.standIn.assertNoRefusedRequests());

type Way = readonly [way: string, sentence: string, go: () => Promise<IntakeResult>];

const CONFIRMING: readonly Way[] = [
  ['the author of the commit confirms it', ITS_OWN, async () => confirms(await merged({ author: 'wim', by: 'ada' }))],
  [
    'who merged a commit of somebody else confirms it',
    ITS_OWN,
    async () => confirms(await merged({ author: 'ada', by: 'wim' })),
  ],
  ['who pushed it confirms it after somebody else had it run again', ITS_OWN, () => confirmsRerun()],
  ['the author of a pull request that a bot merged confirms it', ITS_OWN, () => confirmsBotMerge()],
  [
    'a co-author confirms it',
    ITS_OWN,
    async () => confirms(await merged({ author: 'ada', by: 'ada', message: coAuthored(WIM_ADDRESS) })),
  ],
  [
    'who merged it confirms it under another login',
    '@bea may not confirm this: it takes somebody who did not bring this change',
    async () => confirms(await merged({ author: 'ada', by: 'wim', byId: 7 }), 'bea', 7),
  ],
  [
    'the author of the commit confirms it under another login',
    '@bea may not confirm this: it takes somebody who did not bring this change',
    async () => confirms(await merged({ author: 'wim', by: 'ada' }), 'bea', idOf('wim')),
  ],
  [
    'a co-author confirms it under another login',
    '@bea may not confirm this: it takes somebody who did not bring this change',
    async () => confirms(await merged({ author: 'ada', by: 'ada', message: coAuthored(`8+${WIM_ADDRESS}`) }), 'bea', 8),
  ],
  [
    'who merged it confirms it, and only the press has an id',
    ITS_OWN,
    async () => confirms(await merged({ author: 'ada', by: 'wim' }), 'wim', 7),
  ],
  [
    'who merged it confirms it, and only the order has an id',
    ITS_OWN,
    async () => confirms(await merged({ author: 'ada', by: 'wim', byId: 7 })),
  ],
  [
    'a commit is made under an address that nobody has',
    NOBODY_KNOWS,
    () => confirmsCommit({ author: 'X <x@example.org>' }),
  ],
  ['the author of a rejected revision confirms a later one, which has it', ITS_OWN, () => confirmsLater()],
  ['the lane says that a rejected deployment was applied', ITS_OWN, () => confirmsLater('succeeded')],
  ['the lane leaves out the rejected deployment', ITS_OWN, () => confirmsLater('omitted')],
  ['the lane names another person who merged it', NOBODY_KNOWS, () => confirmsForged()],
  ['the check run of another repository names the deployment', NOT_KNOWN, () => confirmsElsewhere('repository')],
  ['the check run of a root with weaker rules names the deployment', NOT_KNOWN, () => confirmsElsewhere('root')],
];

const DIRECTORIES: readonly Way[] = [
  ['the directory gets a harmless name', OFFICERS, () => confirmsDeclared('{ dir: prod/network, name: easy }')],
  ['the root moves to a sub-directory', OFFICERS, () => confirmsDeclared('{ dir: prod/network/sub, name: easy }')],
  [
    'the directory is declared a second time',
    OFFICERS,
    () => confirmsDeclared('{ dir: prod/network }, { dir: prod/network, name: easy, workspace: b }'),
  ],
  [
    'the root has another workspace',
    OFFICERS,
    () => confirmsDeclared('{ dir: prod/network, name: easy, workspace: b }'),
  ],
  [
    'a link leads to the directory',
    OFFICERS,
    () => confirmsDeclared('{ dir: link, name: easy }', { path: 'link', text: 'prod/network', mode: '120000' }),
  ],
  [
    'the directory is written in capitals',
    'expected names of roots, found that this revision has no roots',
    () => appliesInCapitals(),
  ],
  [
    'a root whose name has a rule moves to another directory',
    '@wim may not confirm this: it takes admin permission',
    () => confirmsDeclared('{ dir: easy, name: secret-a }', undefined, 'secret-a'),
  ],
  [
    'a locked root is unlocked under another name',
    '@wim may not unlock this: it takes admin permission',
    () => unlocksRenamed(),
  ],
];

const APPLYING: readonly Way[] = [
  ['the branch is forced after the approval', NOT_APPROVED, () => applies(forced)],
  ['a commit is pushed after the approval', NOT_APPROVED, () => applies(pushed)],
  ['the approval was dismissed', NOT_APPROVED, () => applies(dismissed)],
  ['somebody approves who only reads', NOT_APPROVED, () => applies(approvedBy('rea'), { approvedBy: null })],
  ['who pushed one of its commits approves it', NOT_APPROVED, () => applies(approvedByCommitter)],
  ['a push comes between the comment and its turn', MOVED, () => applies(movedMeanwhile)],
  ['an old comment is edited into a command after a push', MOVED, () => applies(kept)],
  [
    'a fork has a branch of the same name',
    'the head of the pull request is in a fork',
    () => applies(same, { fromDeletedFork: true }),
  ],
  [
    'a bot comments',
    '@helper[bot] may not deploy this: it takes write permission on the repository, @helper[bot] has none',
    () => applies(same, {}, 'nereid apply', 'helper[bot]'),
  ],
  [
    'the requirements are skipped',
    '@wim may not deploy this without its requirements',
    () => applies(same, {}, 'nereid apply -f'),
  ],
];

test.each([...CONFIRMING, ...DIRECTORIES, ...APPLYING])('%s: refused', async (_way, sentence, go) => {
  const result = await go();

  expect(result).toMatchObject({ kind: 'refused', workflows: [] });
  expect(result.sentence).toContain(sentence);
});

test('none of this is refused to a colleague', async () => {
  const deployed = await merged({ author: 'wim', by: 'wim' });

  expect((await confirms(deployed, 'ada')).kind).toBe('signalled');
});

test('nor to somebody whose login an author had before', async () => {
  const deployed = await merged({ author: 'ada', by: 'wim', byId: 7, message: coAuthored(`7+${WIM_ADDRESS}`) });

  expect((await confirms(deployed, 'wim', 9)).kind).toBe('signalled');
});

test('whether a person is in a team is asked once, where it is asked who brought the change, too', async () => {
  const { infra, after } = await declare('{ dir: prod/network, name: easy }');
  const [deployment] = await infra.lane('easy').deployments();
  const checkRun = await infra.ownCheckRun('easy', after, { externalId: deployment?.id ?? '' });
  stage.standIn.resetTraffic();

  const result = await stage.deliver(infra.presses(checkRun, 'confirm', 'ada'));

  expect(result.sentence).toContain('@ada may not confirm this: it takes somebody who did not bring this change');
  const asked = stage.standIn.requestCounts().filter(({ route }) => route.includes('memberships'));
  expect(asked).toMatchObject([{ count: 1 }]);
});

const WIM_ADDRESS = 'wim@users.noreply.github.com';

function coAuthored(address: string): string {
  return `Widen\n\nCo-authored-by: W <${address}>`;
}

/** GitHub's, of somebody who is known there. */
function idOf(login: string): number {
  return stage.standIn.account(login).id;
}

async function aRepository(): Promise<StagedRepository> {
  return aGuardedRepository(stage, ROOTS);
}

async function waits(infra: StagedRepository, sha: string, more: Partial<Deployment>): Promise<GuardedPlan> {
  return planThatWaits(stage, infra, sha, more);
}

async function merged({ by, byId, ...commit }: Merge): Promise<GuardedPlan> {
  const infra = await aRepository();
  const who = { requestedBy: by, ...(byId !== undefined && { requestedById: byId }) };
  return waits(infra, await commitTo(stage, infra, { files: CHANGE, ...commit }), who);
}

interface Merge extends Omit<AuthoredCommit, 'files'> {
  readonly by: string;
  readonly byId?: number;
}

async function confirms(plan: GuardedPlan, login = 'wim', id?: number): Promise<IntakeResult> {
  return pressConfirm(stage, plan, login, id);
}

async function confirmsRerun(): Promise<IntakeResult> {
  const first = await merged({ author: 'ada', by: 'wim' });
  const again = await waits(first.infra, first.deployment.revision.sha, {
    trigger: 'manual',
    rerun: true,
    requestedBy: 'ada',
  });
  const checkRun = await first.infra.review(again.deployment);
  const failed = { ...first.deployment, progress: aDeployment({ status: 'apply-failed' }).progress };
  await first.infra.recordEnded(failed);
  await first.infra.lane('guarded').record({ running: again.deployment, ended: [failed] });
  return stage.deliver(first.infra.presses(checkRun, 'confirm'));
}

async function confirmsBotMerge(): Promise<IntakeResult> {
  const infra = await aRepository();
  const input = { repository: infra.fullName, branch: 'feature', files: CHANGE, message: 'Widen', author: 'ada' };
  await stage.standIn.commit(input);
  const pull = { repository: infra.fullName, title: 'Widen', head: 'feature', author: 'wim' };
  const { number } = await stage.standIn.openPullRequest(pull);
  const merge = { kind: 'squash', by: 'queue[bot]' } as const;
  const sha = await stage.standIn.mergePullRequest({ repository: infra.fullName, number }, merge);
  return confirms(await waits(infra, sha, { requestedBy: 'queue[bot]' }));
}

async function confirmsCommit(by: Pick<PushedCommit, 'author'>): Promise<IntakeResult> {
  const infra = await aRepository();
  const sha = await infra.pushAll([{ path: 'guarded/a.tf', text: '', ...by }], 'main', 'ada');
  return confirms(await waits(infra, sha, { requestedBy: 'ada' }));
}

/** `said`: how the earlier revision, which was rejected, ended according to the lane. */
async function confirmsLater(said: 'rejected' | 'succeeded' | 'omitted' = 'rejected'): Promise<IntakeResult> {
  const earlier = await merged({ author: 'wim', by: 'wim' });
  const { infra } = earlier;
  const commit = {
    repository: infra.fullName,
    branch: 'main',
    files: { 'guarded/b.tf': '' },
    message: 'B',
    author: 'ada',
  };
  const later = await waits(infra, await stage.standIn.commit(commit), { requestedBy: 'ada' });
  const { revision } = later.deployment;
  const running = { ...later.deployment, revision: { ...revision, position: revision.position + 1 } };
  const { progress } = aDeployment({ status: 'rejected' });
  const ended = await asOrdered(infra.repository, { ...earlier.deployment, progress });
  await infra.recordEnded(ended);
  const checkRun = await infra.review(running);
  const asSaid = said === 'omitted' ? [] : [{ ...ended, progress: { ...ended.progress, status: said } }];
  await infra.lane('guarded').record({ running, ended: asSaid });
  return stage.deliver(infra.presses(checkRun, 'confirm'));
}

async function confirmsElsewhere(other: 'repository' | 'root'): Promise<IntakeResult> {
  const { infra, deployment } = await merged({ author: 'wim', by: 'wim' });
  await infra.review(deployment);
  const place = other === 'root' ? infra : await stage.repository(ROOTS);
  const rootName = other === 'root' ? 'easy' : 'guarded';
  const checkRun = await place.ownCheckRun(rootName, await place.head(), { externalId: deployment.id });
  return stage.deliver(place.presses(checkRun, 'confirm'));
}

/** Somebody who reaches Temporal answers for the lane. */
async function confirmsForged(): Promise<IntakeResult> {
  const earlier = await merged({ author: 'ada', by: 'wim' });
  const { infra, deployment } = await waits(earlier.infra, await earlier.infra.head(), { requestedBy: 'ada' });
  const checkRun = await infra.review(deployment);
  const rejected = { ...earlier.deployment, progress: aDeployment({ status: 'rejected' }).progress };
  await infra.lane('guarded').record({ running: deployment, ended: [rejected] });
  await infra.lane('guarded').forge(({ ended = [], ...lane }) => ({
    ...lane,
    ended: ended.map((one) => ({ ...one, requestedBy: 'ada' })),
  }));
  return stage.deliver(infra.presses(checkRun, 'confirm'));
}

/** Somebody else pushes a declaration of roots. */
async function declare(roots: string, link?: PushedCommit) {
  const files: FileChanges = { ...ROOTS, 'prod/network/sub/main.tf': BACKEND };
  const infra = await stage.repository(files);
  const before = await infra.head();
  if (link) await infra.pushAll([link]);
  const change: FileChanges = Object.fromEntries(
    Object.keys(files).map((path) => [path, `${BACKEND}# wider`] as const),
  );
  const yaml = `version: 1\nroots: [${roots}]\n`;
  const message = 'Declare';
  const commit = { files: { ...change, 'nereid.yaml': yaml }, message, author: 'ada' };
  const after = await stage.standIn.commit({ repository: infra.fullName, branch: 'main', ...commit });
  await stage.deliver({ ...infra.pushes(before, after), sender: 'ada' });
  return { infra, after };
}

async function confirmsDeclared(roots: string, link?: PushedCommit, rootName = 'easy'): Promise<IntakeResult> {
  const { infra, after } = await declare(roots, link);
  const [deployment] = await infra.lane(rootName).deployments();
  const checkRun = await infra.ownCheckRun(rootName, after, { externalId: deployment?.id ?? '' });
  return stage.deliver(infra.presses(checkRun, 'confirm'));
}

async function appliesInCapitals(): Promise<IntakeResult> {
  const infra = await stage.repository(ROOTS);
  const yaml = 'version: 1\nroots: [{ dir: Prod/network, name: easy }]\n';
  return stage.deliver(infra.says(await infra.pullRequest({ 'nereid.yaml': yaml }), 'nereid apply easy'));
}

async function unlocksRenamed(): Promise<IntakeResult> {
  const infra = await stage.repository(ROOTS);
  await infra.lane('guarded').start({ lock: aLock() });
  const renamed = { 'nereid.yaml': 'version: 1\nroots: [{ dir: guarded, name: easy }]\n', 'guarded/a.tf': '' };
  return stage.deliver(infra.says(await infra.pullRequest(renamed), 'nereid unlock easy'));
}

/** What happened to the pull request before the command; the answer is when the comment was written, if not after that. */
type Before = (infra: StagedRepository, opened: OpenedPullRequest) => Promise<string | undefined>;

async function applies(
  before: Before,
  more: Partial<NewPullRequest & { readonly approvedBy: string | null }> = {},
  line = 'nereid apply',
  login = 'wim',
): Promise<IntakeResult> {
  const infra = await stage.repository(ROOTS);
  const opened = await infra.pullRequest({ 'easy/a.tf': '' }, more);
  const createdAt = await before(infra, opened);
  return stage.deliver({ ...infra.says(opened, line, login), ...(createdAt !== undefined && { createdAt }) });
}

const same: Before = () => Promise.resolve(undefined);

async function forced(infra: StagedRepository, { branch }: OpenedPullRequest): Promise<undefined> {
  const to = await infra.commit({ 'easy/evil.tf': '' }, 'other');
  await stage.standIn.forcePush({ repository: infra.fullName, branch, to, by: 'wim' });
}

async function pushed(infra: StagedRepository, { branch }: OpenedPullRequest): Promise<undefined> {
  await infra.commit({ 'easy/evil.tf': '' }, branch);
}

async function dismissed(infra: StagedRepository, opened: OpenedPullRequest): Promise<undefined> {
  await stage.standIn.dismissReview(infra.at(opened), { of: 'ada', by: 'ada' });
}

function approvedBy(login: string): Before {
  return async (infra, opened) => {
    await stage.standIn.approve(infra.at(opened), login);
    return undefined;
  };
}

async function approvedByCommitter(infra: StagedRepository, opened: OpenedPullRequest): Promise<undefined> {
  const { branch } = opened;
  const commit = { repository: infra.fullName, branch, files: { 'easy/b.tf': '' }, message: 'B', author: 'ada' };
  await stage.standIn.commit(commit);
  await stage.standIn.approve(infra.at(opened), 'ada');
}

async function movedMeanwhile(infra: StagedRepository, opened: OpenedPullRequest): Promise<string> {
  const { createdAt } = stage.standIn.comment(infra.at(opened), 'wim', 'nereid apply');
  await pushed(infra, opened);
  await stage.standIn.approve(infra.at(opened), 'ada');
  return createdAt;
}

async function kept(infra: StagedRepository, opened: OpenedPullRequest): Promise<string> {
  const { createdAt } = stage.standIn.comment(infra.at(opened), 'wim', 'Looks good.');
  await forced(infra, opened);
  await stage.standIn.approve(infra.at(opened), 'ada');
  return createdAt;
}
