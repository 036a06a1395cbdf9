/** Who has stopped a root at this moment, by what storage holds and control has signed. */
import { describeTime, isInScope, placeOf } from '@nereid/config';
import { glassFor, type GateFacts } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { isUnreadableRecord } from '@nereid/storage';
import { defined } from '@nereid/domain/defined';
import type { WorkerContext } from '../platform/context.ts';

export type StopContext = Pick<WorkerContext, 'signatures' | 'logger'> & {
  readonly stopRecords: Pick<WorkerContext['stopRecords'], 'read'>;
};

/** Nothing begins. */
export const UNKNOWN_STOPS: GateFacts['stop'] = { stops: [], hasUnknown: true };

/** People of all zones read it. */
const ZONE = 'UTC';

/** A stop that control has not signed stops nothing, and no glass is broken. Of a record that cannot be read, nobody knows. */
export async function stopFacts(
  context: StopContext,
  { owner, name }: Repository,
  root: Pick<Root, 'name' | 'dir' | 'realDir'>,
  deployment: Pick<BreakGlass, 'deploymentId' | 'digest'>,
): Promise<GateFacts['stop']> {
  const stored = await readStops(context, { owner, name });
  if (stored === undefined) return UNKNOWN_STOPS;
  const proven = await Promise.all(
    stored.stops.map((stop) =>
      context.signatures.openIfGenuine('decision/stop', stop, { repository: { owner, name } }),
    ),
  );
  const now = Date.now();
  const stops = proven.flatMap((one) => {
    if (one === undefined) return [];
    const { repository, by, reason, directories, until } = one.body;
    const end = Date.parse(until);
    return isAbout(directories, root)
      ? [{ repository, by, reason, until: end, said: describeTime(ZONE, end, now) }]
      : [];
  });
  const glass = await provenGlass(context, stored.glass, { owner, name }, deployment);
  return { stops, ...defined({ glass }) };
}

async function provenGlass(
  { signatures }: StopContext,
  stored: readonly Signed<BreakGlass>[],
  repository: Pick<Repository, 'owner' | 'name'>,
  deployment: Pick<BreakGlass, 'deploymentId' | 'digest'>,
): Promise<Signed<BreakGlass> | undefined> {
  const { deploymentId } = deployment;
  const own = stored.filter(({ body }) => body.deploymentId === deploymentId);
  const opened = await Promise.all(
    own.map((one) => signatures.openIfGenuine('decision/break-glass', one, { repository, deploymentId })),
  );
  const proven = opened.flatMap((one) => (one === undefined ? [] : [one.body]));
  const found = glassFor(proven, deployment, Date.now());
  return own.find(({ body }) => body.requestId === found?.requestId);
}

/** Undefined when there may be any. */
async function readStops({ stopRecords, logger }: StopContext, repository: Pick<Repository, 'owner' | 'name'>) {
  try {
    return await stopRecords.read(repository);
  } catch (error) {
    if (!isUnreadableRecord(error)) throw error;
    logger.warn({ err: error, repository: fullName(repository) }, 'the stops of a repository cannot be read');
    return undefined;
  }
}

/** Whether a stop of these directories is about the root; of none, it is about all roots. */
export function isAbout(directories: readonly string[], root: Pick<Root, 'name' | 'dir' | 'realDir'>): boolean {
  return isInScope({ repositories: [], roots: directories }, { root: placeOf(root) });
}
