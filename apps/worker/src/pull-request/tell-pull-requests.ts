/** Tells the open pull requests that have a preview of a root that it changed, or was deployed. */
import { fullName, type Repository } from '@nereid/contracts';
import pMap from 'p-map';
import type { WorkerContext } from '../context.ts';
import { AT_ONCE } from './previews.ts';
import { signalPullRequest } from './signal-pull-request.ts';

/** The newest of them; the others say how old their plans are. */
const TOLD_LIMIT = 500;

type TellContext = Pick<WorkerContext, 'pullRequestRecords' | 'temporal' | 'logger'>;

/** The branch has changed the root, and it is not deployed yet. */
export async function tellOfMerge(context: TellContext, repository: Repository, rootName: string): Promise<void> {
  await tell(context, repository, rootName);
}

/** A deployment of the root ended. */
export async function tellOfDeployment(context: TellContext, repository: Repository, rootName: string): Promise<void> {
  await tell(context, repository, rootName, rootName);
}

/** A failure only means that plans look newer than they are, until the next news. It holds up no deployment. */
async function tell(context: TellContext, repository: Repository, rootName: string, deployed?: string): Promise<void> {
  try {
    const numbers = await context.pullRequestRecords.withRoot(repository, rootName, TOLD_LIMIT);
    await pMap(numbers, (number) => signalPullRequest(context, repository, number, 'look', deployed), {
      concurrency: AT_ONCE,
    });
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), root: rootName };
    context.logger.warn(
      fields,
      'pull requests could not be told of a deployment: their plans may be older than they say',
    );
  }
}
