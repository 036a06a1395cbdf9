/** Sends a range of commits to the lanes of the roots that it modifies. */
import { placeOf, wavesFor, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { withoutMentions, type DeploymentRequest } from '@nereid/domain/deployment';
import type { IntakeResult } from '@nereid/domain/intake';
import type { ReviewedBefore } from '@nereid/domain/plan';
import type { Ordering, OrderedRoot } from '@nereid/domain/rollout';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import type { Discovered } from '@nereid/discovery';
import type { RevisionRange } from '@nereid/git';
import type { Person } from '@nereid/forge';
import { signalRollout } from '../../rollout/signal-rollout.ts';
import { requestIdOf, startRollout } from '../../rollout/start-rollout.ts';
import { rememberBeginning } from '../../lane/brought/last-deployed.ts';
import { notifyPullRequestsOfMerge } from '../../pull-request/notify-pull-requests.ts';
import { showConfigProblems } from './config-check-run.ts';
import { configWarnings } from '../../root/config-warnings.ts';
import { discoverIn } from '../../root/discover.ts';
import type { IntakeCall } from '../intake-call.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { findMergeReviews } from './find-merge-reviews.ts';
import { signalNewRevisions } from './lane-signals.ts';
import { findRenamed, type StoppedRoot } from './renamed-roots.ts';
import { showRemoved } from './removed-check-run.ts';
import { showStopped } from './stopped-check-run.ts';
import { unlockMerged } from './unlock-merged.ts';
import { listNames } from '../../platform/list-names.ts';
import { nothing, signalled } from '../results.ts';

export interface ModifiedRequest {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly range: RevisionRange;
  readonly sha: string;
  readonly branch: string;
  /** The same for every root. */
  readonly why: Omit<DeploymentRequest, 'requestId' | 'root' | 'revision'>;
}

/** The person in whose name a deployment is ordered. */
export function requestedBy({ login, id }: Person): Pick<DeploymentRequest, 'requestedBy' | 'requestedById'> {
  return { requestedBy: login, ...defined({ requestedById: id }) };
}

export interface Steps {
  /** Called before any lane is signalled. A returned result ends the request there. */
  readonly judge?: (roots: readonly Root[]) => Promise<IntakeResult | undefined>;
  /** Returns the modified roots whose lanes are to be signalled; absent: all of them are. */
  readonly sift?: (roots: readonly Root[]) => Promise<readonly Root[]>;
  /** Called before the problems of the configuration are shown. */
  readonly beforeProblems?: () => Promise<void>;
}

export async function deployModified(
  call: IntakeCall,
  request: ModifiedRequest,
  { judge, sift, beforeProblems }: Steps = {},
): Promise<IntakeResult> {
  const { repository, sha } = request;
  const found = await discoverIn(call, request);
  if (found.kind === 'problems') {
    await beforeProblems?.();
    return showConfigProblems(call, repository, sha, found);
  }
  report(call, request, found);
  await showRemoved(call, request, found);
  const roots = found.modified.map(({ root }) => root);
  if (roots.length === 0)
    return nothing(`no root of ${found.all} is modified${deletedNote(found)}${unplannedNote(found)}`);
  const refusal = await judge?.(roots);
  if (refusal) return refusal;
  const wanted = sift === undefined ? roots : await sift(roots);
  if (wanted.length === 0) return nothing('the roots that it modifies have it already');
  const since = () => baseOf(call, request);
  const asked = {
    ...{ ...request, source: call.delivery, since, ordering: found.ordering },
    configWarnings: configWarnings(found),
  };
  const { workflows, stopped } = await deployRoots(call, asked, wanted);
  await showStopped(call, repository, sha, stopped);
  const names = wanted.map(({ name }) => name);
  await notifyPullRequestsOfMerge(call.context, repository, names);
  const notes = `${stoppedNote(stopped)}${deletedNote(found)}${unplannedNote(found)}`;
  return signalled(`${workflows.length + stopped.length} of ${found.all} roots are modified${notes}`, workflows);
}

export interface RootsRequest extends Pick<ModifiedRequest, 'repository' | 'sha' | 'branch' | 'why'> {
  /** A lane takes the requests of one source only once. */
  readonly source: string;
  /** The commit before those that are deployed, where it is known. */
  readonly since?: () => Promise<string | undefined>;
  /** The order in which the roots of the revision go; without it, they go side by side. */
  readonly ordering?: Ordering;
  /** As in `DeploymentRequest`; empty where there are none. */
  readonly configWarnings?: readonly string[];
  /** Earlier deployments of the revision that have not taken effect, to other roots: these wait for them, too. */
  readonly unfinished?: readonly OrderedRoot[];
}

export interface DeployedRoots {
  /** The lanes' ids. */
  readonly workflows: readonly string[];
  readonly stopped: readonly StoppedRoot[];
}

/** Signals the lane of each root, except of those that a broken record stops. */
export async function deployRoots(
  { context, signal }: RevisionTools,
  {
    repository,
    sha,
    branch,
    why,
    source,
    since,
    ordering = [],
    unfinished = [],
    configWarnings: warnings = [],
  }: RootsRequest,
  roots: readonly Root[],
): Promise<DeployedRoots> {
  const revision = await context.mirrors.describe(repository, sha, branch, signal);
  const { renamed, stopped } = await findRenamed(context, repository, roots);
  const names = new Set(stopped.map(({ name }) => name));
  const sound = roots.filter(({ name }) => !names.has(name));
  const { requestedBy: by, requestedById: byId } = why;
  const merge = { repository, sha, source, by, ...defined({ byId }) };
  await rememberBeginning(context, repository, sound, since ?? nobodyKnows);
  if (why.trigger === 'merge') await unlockMerged({ context, signal }, merge, sound);
  const isMerge = why.trigger === 'merge' && !why.rerun;
  const merged = { ...merge, position: revision.position };
  const reviews = await findMergeReviews({ context, signal }, merged, isMerge ? sound : []);
  const rollout = await startRollout(context, {
    repository,
    sha,
    source,
    ordering,
    isRerun: why.rerun,
    isOfBranch: why.trigger === 'merge' || why.rerun,
    roots,
    stopped,
    unfinished,
    waves: wavesFor(context.server.current(), fullName(repository), roots.map(placeOf)),
  });
  const revisions = sound.map((root) => ({
    version: 1 as const,
    requestId: requestIdOf(source, root.name),
    root,
    revision,
    ...why,
    ...renamed.get(root.name),
    ...reviewedFor(reviews.get(root.name)),
    ...(warnings.length > 0 && { configWarnings: warnings }),
    ...(rollout?.rootNames.has(root.name) === true && rollout.ordered),
  }));
  const workflows = await signalNewRevisions(context, repository, revisions);
  if (rollout !== undefined) await signalRollout(context, repository, sha);
  return { workflows, stopped };
}

/** A person may deploy any revision, whatever lies before it. */
const nobodyKnows = () => Promise.resolve(undefined);

/** As far as the range has one commit to begin after. */
async function baseOf(
  { context: { mirrors }, signal }: RevisionTools,
  { repository, range, sha: after }: ModifiedRequest,
): Promise<string | undefined> {
  if (range.kind !== 'push' && range.kind !== 'commit') return undefined;
  const before = range.kind === 'push' ? range.before : NOTHING_BEFORE;
  return mirrors.pushBase(repository, { before, after }, signal);
}

/** As git writes that there was no commit: then the first parent counts. */
const NOTHING_BEFORE = '0'.repeat(40);

function reviewedFor(reviewed: ReviewedBefore | undefined): Pick<DeploymentRequest, 'reviewed'> {
  return reviewed === undefined ? {} : { reviewed };
}

type Found = Extract<Discovered, { kind: 'roots' }>;

function report({ context, delivery }: IntakeCall, { repository, sha }: ModifiedRequest, found: Found): void {
  const fields = { delivery, repository: `${repository.owner}/${repository.name}`, revision: sha };
  if (found.deleted.length > 0) context.logger.warn({ ...fields, roots: found.deleted }, 'roots were deleted');
  if (found.warnings.length > 0) context.logger.warn({ ...fields, warnings: found.warnings }, 'configuration warnings');
}

function stoppedNote(stopped: readonly StoppedRoot[]): string {
  return stopped.length === 0 ? '' : `; not deployed: ${listNames(stopped.map(({ name }) => name))}`;
}

/** The resources of deleted roots are still there, and no plan covers them any more. */
function deletedNote({ deleted }: Found): string {
  if (deleted.length === 0) return '';
  return `; deleted, with their resources still there: ${listNames(deleted)}`;
}

function unplannedNote({ unplanned }: Found): string {
  return unplanned === undefined ? '' : `; ${withoutMentions(unplanned)}`;
}
