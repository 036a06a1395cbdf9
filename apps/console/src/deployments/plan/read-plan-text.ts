/** Terraform's own text of the plan that a page shows. It is in storage; the host signed its digest, so it is that of this plan. */
import { poolOf } from '@nereid/domain/root';
import type { PlanText } from '@nereid/domain/plan';
import type { JobLogsOfPools } from '@nereid/storage';
import { planParts } from '@nereid/texts';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { inTime } from '../../platform/in-time.ts';
import type { DeploymentView, ShownPlanText } from '../deployment-view.ts';

export interface PlanTextSources {
  readonly jobLogs: JobLogsOfPools;
  /** How long a page waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A page without it is still the page: the log has the same. */
export type WithPlanText = (view: DeploymentView) => Promise<DeploymentView>;

/** In characters of text, which takes twice as much in parts. A page that is followed asks for the same again and again. */
const KEPT = 16 * 1024 ** 2;

export function createWithPlanText({ jobLogs, patienceMs, logger }: PlanTextSources): WithPlanText {
  const known = new LRUCache<string, ShownPlanText>({ maxSize: KEPT });

  async function read(view: DeploymentView): Promise<ShownPlanText | undefined> {
    const { textDigest, wholeTextDigest } = view.progress.plan?.made.body ?? {};
    const job = view.progress.jobs.plan?.id;
    if (textDigest === undefined || job === undefined) return undefined;
    const kept = known.get(wholeTextDigest ?? textDigest);
    if (kept !== undefined) return kept;
    const { planTexts, wholePlanTexts } = jobLogs.of(poolOf(view.deployment.root));
    const texts = wholeTextDigest === undefined ? planTexts : wholePlanTexts;
    const text = await inTime(texts.read(job, wholeTextDigest ?? textDigest), patienceMs);
    if (text === undefined) return undefined;
    const shown = shownText(text);
    known.set(wholeTextDigest ?? textDigest, shown, { size: text.text.length + 1 });
    return shown;
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

function shownText({ text, leftOut, isShortened }: PlanText): ShownPlanText {
  return { ...planParts(text), leftOut, isShortened };
}
