/** Messages to many lanes. */
import type { NewRevision } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import pMap from 'p-map';
import { orderDeployment } from '../../lane/order-deployment.ts';
import { findHint } from '../../lane/record/lane-record.ts';
import { signalLane } from '../../lane/signal-lane.ts';
import type { WorkerContext } from '../../platform/context.ts';

/**
 * Temporal answers in milliseconds; more signals at once would only wait there, and with them each step of the lanes that have begun
 * already.
 */
const AT_ONCE = 8;

/** Some lanes could not be signalled. The others were, and drop signals that come again. */
export class LanesUnreachableError extends Error {
  override readonly name = 'LanesUnreachableError';
  readonly code = 'LANES_UNREACHABLE';
  readonly rootNames: readonly string[];

  constructor(rootNames: readonly string[], options: ErrorOptions) {
    super(`expected to signal the lanes of ${rootNames.join(', ')}, found that Temporal did not take it`, options);
    this.rootNames = rootNames;
  }
}

/** A failure does not stop the other roots: `LanesUnreachableError` is thrown at the end. Returns the lanes' ids. */
export async function signalNewRevisions(
  context: WorkerContext,
  repository: Repository,
  revisions: readonly NewRevision[],
): Promise<readonly string[]> {
  const failures: { readonly rootName: string; readonly cause: unknown }[] = [];
  const workflows = await pMap(
    revisions,
    async (request) => {
      const rootName = request.root.name;
      try {
        const [body, hint] = await Promise.all([
          orderDeployment(context, repository, request),
          findHint(context, repository, rootName),
        ]);
        return await signalLane(context, repository, rootName, { name: MESSAGE.newRevision, body }, hint);
      } catch (cause) {
        failures.push({ rootName, cause });
        return '';
      }
    },
    { concurrency: AT_ONCE },
  );
  const [first] = failures;
  if (first) {
    const names = failures.map(({ rootName }) => rootName);
    throw new LanesUnreachableError(names, { cause: first.cause });
  }
  return workflows;
}
