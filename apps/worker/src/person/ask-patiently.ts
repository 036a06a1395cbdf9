/**
 * While the forge, or a deployment, cannot answer, it is asked again for as long as a person waits. Then the answer is "not now",
 * never yes.
 */
import {
  ForgeRefusedError,
  ForgeShutOutError,
  ForgeUnavailableError,
  type Forge,
  type PullRequest,
} from '@nereid/forge';
import type { Logger } from 'pino';

/** A person waits in front of a button for about this long. */
const PATIENCE_MS = 20_000;

/** A forge answers so where Nereid lacks a permission. */
const FORBIDDEN = 403;

/** The answer to people when the forge did not tell of a pull request. */
export function pullRequestUnavailable({ forge }: { readonly forge: Pick<Forge, 'name'> }): string {
  return `${forge.name} could not be asked for the pull request: not now, try again`;
}

/** GitHub, for one, works out mergeability when it is first asked, in a second or two. */
export class MergeabilityUnknownError extends Error {
  override readonly name = 'MergeabilityUnknownError';
  readonly code = 'MERGEABILITY_UNKNOWN';

  constructor(pullRequest: number) {
    super(`expected to know whether #${pullRequest} can be merged, found that the forge is working it out; ask again`);
  }
}

/** The record of pushes and the pull requests of a forge are not written at the same moment. */
export class HeadUnsettledError extends Error {
  override readonly name = 'HeadUnsettledError';
  readonly code = 'HEAD_UNSETTLED';

  constructor({ number, headBranch }: Pick<PullRequest, 'number' | 'headBranch'>) {
    super(`expected the last push to ${headBranch} to be the head of #${number}, found another commit; ask again`);
  }
}

/** Its workflow runs, but no worker has answered for it, or it does not know yet that its plan is shown. */
export class DeploymentSilentError extends Error {
  override readonly name = 'DeploymentSilentError';
  readonly code = 'DEPLOYMENT_SILENT';

  constructor(id: string, found = 'no worker answers for it') {
    super(`expected ${id} to say which plan it shows, found that ${found}; ask again`);
  }
}

/** The parts of an attempt that it needs. */
export interface PatientCall {
  readonly context: { readonly logger: Pick<Logger, 'warn'> };
  /** The id of the event or request. */
  readonly delivery: string;
  /** When the activity was scheduled, in milliseconds since 1970: all its attempts share this time. */
  readonly scheduledAtMs: number;
}

/** Returns the answer, or `unavailable` in the end; until then it throws, for another attempt. */
export async function askPatiently<T>(call: PatientCall, ask: () => Promise<T>, unavailable: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isOver(call, error)) throw error;
    call.context.logger.warn({ err: error, delivery: call.delivery }, 'no answer came in time: a person is refused');
    return unavailable;
  }
}

function isOver({ scheduledAtMs }: Pick<PatientCall, 'scheduledAtMs'>, error: unknown): boolean {
  if (error instanceof ForgeRefusedError) return error.status === FORBIDDEN;
  if (error instanceof ForgeShutOutError) return true;
  const mayPass =
    error instanceof ForgeUnavailableError ||
    error instanceof MergeabilityUnknownError ||
    error instanceof HeadUnsettledError ||
    error instanceof DeploymentSilentError;
  return mayPass && Date.now() - scheduledAtMs >= PATIENCE_MS;
}
