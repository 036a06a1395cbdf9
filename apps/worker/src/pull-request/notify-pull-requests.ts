/** Tells the open pull requests that have a preview of a root that it changed, or was deployed. */
import { fullName, type Repository } from '@nereid/domain/root';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** Temporal and storage answer in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** The newest of each root; the others say how old their plans are. */
const NOTIFY_LIMIT = 500;

/** Five hundred signals take a second. A deployment's end waits no longer for slow storage or a slow Temporal. */
const NOTIFY_TIMEOUT_MS = 10_000;

type NotifyContext = Pick<WorkerContext, 'pullRequestRecords' | 'seenStates' | 'temporal' | 'logger'>;

/** The branch has changed the roots, and they are not deployed yet. */
export async function notifyPullRequestsOfMerge(
  context: NotifyContext,
  repository: Repository,
  rootNames: readonly string[],
): Promise<void> {
  await notifyPullRequests(context, repository, { rootNames });
}

/** A deployment of the root ended. */
export async function notifyPullRequestsOfDeployment(
  context: NotifyContext,
  repository: Repository,
  rootName: string,
): Promise<void> {
  await forgetSeenState(context, repository, rootName);
  await notifyPullRequests(context, repository, { rootNames: [rootName], outdated: rootName });
}

/** The next plans find another state, and everybody knows why. Without a record, no pull request was planned. */
async function forgetSeenState(
  { seenStates, logger }: NotifyContext,
  repository: Repository,
  rootName: string,
): Promise<void> {
  const ended = { at: new Date().toISOString(), isOutside: false };
  try {
    await seenStates.change(repository, rootName, (seen) => seen && ended);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), root: rootName };
    logger.warn(fields, 'it cannot be noted that a root was deployed: its state may seem to have changed outside');
  }
}

/** The state of the root changed outside of Nereid, as a plan of the pull request `except` found out. */
export async function notifyPullRequestsOfState(
  context: NotifyContext,
  repository: Repository,
  rootName: string,
  except: number | undefined,
): Promise<void> {
  await notifyPullRequests(context, repository, { rootNames: [rootName], outdated: rootName, except });
}

interface News {
  readonly rootNames: readonly string[];
  /** The root whose plans may not be true any more. */
  readonly outdated?: string;
  readonly except?: number | undefined;
}

/** Never throws. A failure only means that plans look newer than they are, until the next news. */
async function notifyPullRequests(
  context: NotifyContext,
  repository: Repository,
  { rootNames, outdated, except }: News,
): Promise<void> {
  const limit = AbortSignal.timeout(NOTIFY_TIMEOUT_MS);
  const options = { concurrency: AT_ONCE, signal: limit };
  try {
    const of = outdated === undefined ? {} : { deployed: outdated };
    const withRoot = (name: string) => context.pullRequestRecords.withRoot(repository, name, NOTIFY_LIMIT);
    const numbers = new Set((await pMap(rootNames, withRoot, options)).flat());
    if (except !== undefined) numbers.delete(except);
    await pMap(numbers, (number) => signalPullRequest(context, repository, { number }, 'look', of), options);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), roots: rootNames };
    context.logger.warn(
      fields,
      'pull requests could not be told of a merge or a deployment: their plans may be older than they say',
    );
  }
}
