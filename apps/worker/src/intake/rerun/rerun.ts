/** Re-runs deployments: deploys the same revision once more, to roots that have a check run of ours on it. */
import type { RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { parseCheckRunName, type Deployment, type DeploymentRequest } from '@nereid/domain/deployment';
import type { IntakeResult, PressedCheckRun, Sender } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import type { OrderedRoot } from '@nereid/domain/rollout';
import { findDependents, type Dependents } from './dependents.ts';
import { showConfigProblems } from '../revisions/config-check-run.ts';
import { deployRoots, requestedBy } from '../revisions/deploy-modified.ts';
import { configWarnings } from '../../root/config-warnings.ts';
import { findIn } from '../../root/discover.ts';
import type { IntakeCall } from '../intake-call.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import { broughtBy } from '../../person/contributors.ts';
import { lanePlace } from '../../lane/lane-place.ts';
import { listNames } from '../../platform/list-names.ts';
import { askerOf, decide } from '../../person/permission.ts';
import { askPatiently, pullRequestUnavailable } from '../../person/ask-patiently.ts';
import { verifyDeployment } from '../../lane/verify-orders.ts';
import { unmetRequirements } from '../requirements/check-requirements.ts';
import { nothing, signalled } from '../results.ts';
import { refuseOnCheckRun } from '../check-run/refuse-on-check-run.ts';
import { subjectOf } from '../check-run/subject-of-press.ts';
import { describeStatus, findUnderWay } from '../under-way.ts';

export interface RerunRequest extends Sender {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  /** The branch that is deployed. */
  readonly branch: string;
}

export async function rerunRequest(
  { context: { forge } }: IntakeCall,
  { repository, sender, senderId }: Sender & { readonly repository: Repository },
  policy: RepositoryPolicy,
): Promise<RerunRequest> {
  const branch = policy.branch ?? (await forge.repositories.defaultBranch(repository));
  return { repository, policy, sender, ...defined({ senderId }), branch };
}

/** Re-runs the root of one check run, or says there why not. */
export async function rerunCheckRun(
  call: IntakeCall,
  request: RerunRequest,
  checkRun: PressedCheckRun,
): Promise<IntakeResult> {
  const judged = await judgeRerun(call, request, checkRun);
  if (judged.kind !== 'ready') return judged;
  return (await deployReruns(call, request, [judged]))[0] ?? nothing('there is nothing to re-run');
}

/** A re-run that the person may have. */
export interface ReadyRerun {
  readonly kind: 'ready';
  readonly checkRun: PressedCheckRun;
  readonly rootName: string;
  readonly branch: string;
  /** Present for the head of a manual deployment. */
  readonly pullRequest?: number;
  readonly dependents: Dependents;
}

/** Whether the root of a check run may be re-run. If not, the check run says why. */
export async function judgeRerun(
  call: IntakeCall,
  request: RerunRequest,
  checkRun: PressedCheckRun,
): Promise<ReadyRerun | IntakeResult> {
  const { repository, policy, sender } = request;
  const refuse = (sentence: string) => refuseOnCheckRun(call, repository, checkRun, sentence);
  const rootName = parseCheckRunName(checkRun.name) ?? '';
  const sha = checkRun.headSha;
  // Nothing is fetched or read for somebody who may not do it to any root.
  const anybody = await decide(call, { ...askedBy(request, sha), root: undefined });
  if (anybody.kind === 'no') return refuse(anybody.sentence);

  const { sameRevision } = await findUnderWay(call, { repository, rootName, sha });
  if (sameRevision)
    return refuse(`@${sender} pressed Re-run: this revision is under way; it ${describeStatus(sameRevision)}`);
  const source = await findSource(call, request, rootName, checkRun);
  if (source.kind === 'refused') return refuse(source.sentence);
  const found = await findIn(call, { repository, policy, sha, names: [rootName] });
  if (found.kind === 'problems') {
    const shown = await showConfigProblems(call, repository, sha, found);
    call.userActions.refused(subjectOf(checkRun), shown.sentence);
    return shown;
  }
  if (found.kind === 'unknown') return refuse(found.sentence);
  const { branch, pullRequest } = source;
  const root = await lanePlace(call, repository, rootName, found.roots);
  for (const action of pullRequest === undefined ? (['rerun'] as const) : (['rerun', 'apply'] as const)) {
    const decision = await decide(call, { ...askedBy(request, sha), action, root });
    if (decision.kind === 'no') return refuse(decision.sentence);
  }
  const dependents = await findDependents(call, repository, checkRun);
  return { kind: 'ready', checkRun, rootName, branch, ...defined({ pullRequest }), dependents };
}

function askedBy(request: RerunRequest, sha: string) {
  const { repository, policy } = request;
  return { repository, policy, action: 'rerun', ...askerOf(request), brought: () => broughtBy(sha) } as const;
}

/** Those of the branch go together, in their order. All are of one revision. */
export async function deployReruns(
  call: IntakeCall,
  request: RerunRequest,
  ready: readonly ReadyRerun[],
): Promise<readonly IntakeResult[]> {
  const ofBranch = ready.filter(({ pullRequest }) => pullRequest === undefined);
  const others = ready.filter(({ pullRequest }) => pullRequest !== undefined);
  const results = ofBranch.length === 0 ? [] : [...(await deployTogether(call, request, ofBranch))];
  for (const one of others) results.push(...(await deployTogether(call, request, [one])));
  return results;
}

async function deployTogether(
  call: IntakeCall,
  request: RerunRequest,
  ready: readonly ReadyRerun[],
): Promise<readonly IntakeResult[]> {
  const { repository, policy, sender } = request;
  const [first] = ready;
  if (first === undefined) return [];
  const { branch, pullRequest, checkRun } = first;
  const sha = checkRun.headSha;
  const pressed = ready.map(({ rootName }) => rootName);
  const along = await findAlong(call, request, ready, sha);
  const found = await findIn(call, { repository, policy, sha, names: [...pressed, ...along] });
  // Each of them was found a moment ago.
  if (found.kind !== 'roots') return [await refuseOnCheckRun(call, repository, checkRun, CHANGED)];

  const who = requestedBy(askerOf(request));
  const why =
    pullRequest === undefined
      ? { ...MANUAL_RERUN, ...who }
      : // A revision that is not on the branch is deployed by hand again: it asks for a review, and locks the lane.
        { ...MANUAL_RERUN, rerun: false, ...who, pullRequest };
  const unfinished = unfinishedIn(ready, [...pressed, ...along]);
  const ordering = pullRequest === undefined ? found.ordering : [];
  const asRerun = {
    ...{ repository, sha, branch, why, source: call.delivery, ordering, unfinished },
    configWarnings: configWarnings(found),
  };
  const { workflows, stopped } = await deployRoots(call, asRerun, found.roots);
  const results: IntakeResult[] = [];
  for (const one of ready) {
    const why = stopped.find(({ name }) => name === one.rootName)?.sentence;
    if (why === undefined) call.userActions.accepted(subjectOf(one.checkRun));
    else results.push(await refuseOnCheckRun(call, repository, one.checkRun, why));
  }
  if (workflows.length === 0) return results;
  return [signalled(`@${sender} re-runs ${listNames([...pressed, ...along])}`, workflows), ...results];
}

const CHANGED = 'the configuration changed meanwhile: press Re-run again';

/** Roots that come along: the person may re-run them, and the revision is not under way to them. */
async function findAlong(
  call: IntakeCall,
  request: RerunRequest,
  ready: readonly ReadyRerun[],
  sha: string,
): Promise<readonly string[]> {
  const { repository } = request;
  const pressed = new Set(ready.map(({ rootName }) => rootName));
  const names = new Set(ready.flatMap(({ dependents }) => dependents.rootNames).filter((name) => !pressed.has(name)));
  const along: string[] = [];
  for (const rootName of names) {
    const root = await lanePlace(call, repository, rootName);
    const decision = await decide(call, { ...askedBy(request, sha), root });
    const { sameRevision } = await findUnderWay(call, { repository, rootName, sha });
    if (decision.kind === 'yes' && sameRevision === undefined) along.push(rootName);
  }
  return along;
}

function unfinishedIn(ready: readonly ReadyRerun[], rerun: readonly string[]): readonly OrderedRoot[] {
  const all = new Map(ready.flatMap(({ dependents }) => [...dependents.unfinished]));
  for (const rootName of rerun) all.delete(rootName);
  return [...all.values()];
}

const MANUAL_RERUN = { trigger: 'manual', rerun: true, force: false } as const satisfies Partial<DeploymentRequest>;

type Source =
  | { readonly kind: 'found'; readonly branch: string; readonly pullRequest?: number }
  | { readonly kind: 'refused'; readonly sentence: string };

/** A revision of the branch, or else the head of a manual deployment, which has to meet the requirements of `apply`. */
async function findSource(
  call: IntakeCall,
  { repository, policy, branch }: RerunRequest,
  rootName: string,
  { headSha, externalId }: PressedCheckRun,
): Promise<Source> {
  const { mirrors, forge } = call.context;
  if (await mirrors.contains(repository, branch, headSha, call.signal)) return { kind: 'found', branch };

  const deployment = await findOrdered(call, repository, rootName, externalId);
  if (deployment?.trigger !== 'manual' || deployment.pullRequest === undefined) {
    return { kind: 'refused', sentence: `only revisions on ${branch} can be re-run; this one is not on it` };
  }
  const { pullRequest: number } = deployment;
  const pullRequest = await askPatiently(call, () => forge.pullRequests.get(repository, number), undefined);
  if (!pullRequest) return { kind: 'refused', sentence: pullRequestUnavailable(call.context) };
  const unmet = await unmetRequirements(call, { repository, policy, pullRequest });
  const isHead = pullRequest.headSha === headSha;
  const missing = isHead ? unmet : [...unmet, 'the pull request has a newer head: deploy that one'];
  if (missing.length > 0) return { kind: 'refused', sentence: `this cannot be re-run: ${missing.join('; ')}` };

  return { kind: 'found', branch: pullRequest.headBranch, pullRequest: pullRequest.number };
}

/** As its record has it, which was verified; the lane answers over Temporal, where somebody else may answer for it. */
async function findOrdered(
  call: IntakeCall,
  repository: Repository,
  rootName: string,
  id: string,
): Promise<Deployment | undefined> {
  const record = await call.context.deploymentRecords.find(repository, rootName, id);
  if (record) return record.deployment;
  const deployment = await findDeployment(call, repository, rootName, id);
  if (deployment) await verifyDeployment(call.context, { repository, deployment });
  return deployment;
}
