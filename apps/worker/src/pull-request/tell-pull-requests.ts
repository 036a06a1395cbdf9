/** Tells the open pull requests that have a preview of a root that it changed, or was deployed. */
import { fullName, type Repository } from '@nereid/contracts';
import pMap from 'p-map';
import type { WorkerContext } from '../context.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** Temporal and storage answer in milliseconds; more at once would only wait there. */
const AT_ONCE = 20;

/** The newest of each root; the others say how old their plans are. */
const TOLD_LIMIT = 500;

/** Five hundred signals take a second. A deployment's end waits no longer for slow storage or a slow Temporal. */
const TOLD_WITHIN_MS = 10_000;

type TellContext = Pick<WorkerContext, 'pullRequestRecords' | 'temporal' | 'logger'>;

/** The branch has changed the roots, and they are not deployed yet. */
export async function tellOfMerge(
  context: TellContext,
  repository: Repository,
  rootNames: readonly string[],
): Promise<void> {
  await tell(context, repository, rootNames);
}

/** A deployment of the root ended. */
export async function tellOfDeployment(context: TellContext, repository: Repository, rootName: string): Promise<void> {
  await tell(context, repository, [rootName], { deployed: rootName });
}

/** Never throws. A failure only means that plans look newer than they are, until the next news. */
async function tell(
  context: TellContext,
  repository: Repository,
  rootNames: readonly string[],
  of?: { readonly deployed: string },
): Promise<void> {
  const limit = AbortSignal.timeout(TOLD_WITHIN_MS);
  const options = { concurrency: AT_ONCE, signal: limit };
  try {
    const withRoot = (name: string) => context.pullRequestRecords.withRoot(repository, name, TOLD_LIMIT);
    const numbers = new Set((await pMap(rootNames, withRoot, options)).flat());
    await pMap(numbers, (number) => signalPullRequest(context, repository, { number }, 'look', of), options);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), roots: rootNames };
    context.logger.warn(
      fields,
      'pull requests could not be told of a merge or a deployment: their plans may be older than they say',
    );
  }
}
