/** Terraform's own text of the plan that a page shows. It is in storage; the host signed its digest, so it is that of this plan. */
import { poolOf } from '@nereid/domain/root';
import type { JobLogsOfPools } from '@nereid/storage';
import { planParts, type PlanParts } from '@nereid/texts';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { inTime } from '../platform/in-time.ts';
import type { DeploymentView } from './deployment-view.ts';

export interface PlanTextSources {
  readonly jobLogs: JobLogsOfPools;
  /** How long a page waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A page without it is still the page: the log has the same. */
export type WithPlanText = (view: DeploymentView) => Promise<DeploymentView>;

/** Each at most 60,000 bytes. A page that is followed asks for the same again and again. */
const KEPT = 100;

export function createWithPlanText({ jobLogs, patienceMs, logger }: PlanTextSources): WithPlanText {
  const known = new LRUCache<string, PlanParts>({ max: KEPT });

  async function read(view: DeploymentView): Promise<PlanParts | undefined> {
    const { deployment, progress } = view;
    const digest = progress.plan?.made.body.textDigest;
    const job = progress.jobs.plan?.id;
    if (digest === undefined || job === undefined) return undefined;
    const kept = known.get(digest);
    if (kept !== undefined) return kept;
    const text = await inTime(jobLogs.of(poolOf(deployment.root)).planTexts.read(job, digest), patienceMs);
    if (text === undefined) return undefined;
    const parts = planParts(text.text);
    known.set(digest, parts);
    return parts;
  }

  return async (view) => {
    try {
      const planText = await read(view);
      return planText === undefined ? view : { ...view, planText };
    } catch (error) {
      logger.warn(
        { err: error, deployment: view.id },
        'the text of a plan cannot be read, so its page does not show it',
      );
      return view;
    }
  };
}
