/**
 * Finds Terraform's own text of a plan for its check run. It is in storage and not in the presentation, which goes through
 * Temporal; only the digest does, in what the host signed. So nobody who reaches Temporal or storage can show another text.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Progress } from '@nereid/domain/deployment';
import type { PlanText } from '@nereid/domain/plan';
import { fullName, type Repository } from '@nereid/domain/root';
import type { ShownPlanText } from '@nereid/texts';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { isReadByEverybody } from './visibility.ts';

type PlanTextContext = OfForge<'repositories'> & Pick<WorkerContext, 'config' | 'logger' | 'jobLogs'>;

/** The plan of a deployment, or of anything else that has one, and the job that made it. */
type Planned = Pick<Progress, 'plan' | 'jobs'>;

/** Undefined when there is no text to show. Never throws, and answers in time: no check run waits for storage. */
export type PlanTextOf = (planned: Planned, pool: string) => Promise<ShownPlanText | undefined>;

/** A write of check runs has a minute. A store answers within a second. */
const READ_WITHIN_MS = 3_000;

const UNREADABLE = {
  kind: 'none',
  why: "Terraform's own text of this plan could not be read, or is not the one that the host signed.",
} as const;
const NOT_HERE = {
  kind: 'none',
  why: "Terraform's own text of this plan is not shown, because everybody in the world may read this.",
} as const;

/** For all plans of the repository that are written now. */
export function planTextsOf(
  context: PlanTextContext,
  repository: Repository,
  readWithinMs = READ_WITHIN_MS,
): PlanTextOf {
  let mayShow: Promise<boolean> | undefined;
  return async ({ plan, jobs }, pool) => {
    if (plan?.made.body.textDigest === undefined) return undefined;
    mayShow ??= mayBeRead(context, repository);
    if (!(await mayShow)) return NOT_HERE;
    const text = await readInTime(context, repository, {
      pool,
      jobId: jobs.plan?.id,
      digest: plan.made.body.textDigest,
      readWithinMs,
    });
    return text === undefined ? UNREADABLE : { kind: 'text', text };
  };
}

/** An operator who lets everybody in the world read logs lets them read plans, too. */
async function mayBeRead(context: PlanTextContext, repository: Repository): Promise<boolean> {
  if (context.config.links.keyedRepositories === 'all') return true;
  return (await isReadByEverybody(context, repository)) === false;
}

interface Wanted {
  readonly pool: string;
  readonly jobId: string | undefined;
  readonly digest: string;
  readonly readWithinMs: number;
}

async function readInTime(
  { jobLogs, logger }: PlanTextContext,
  repository: Repository,
  { pool, jobId, digest, readWithinMs }: Wanted,
): Promise<PlanText | undefined> {
  const fields = { repository: fullName(repository), job: jobId };
  const late = new AbortController();
  try {
    const text =
      jobId === undefined
        ? undefined
        : await Promise.race([
            jobLogs.of(pool).planTexts.read(jobId, digest),
            pause(readWithinMs, undefined, { signal: late.signal }),
          ]);
    if (text === undefined) logger.warn(fields, UNREAD);
    return text;
  } catch (error) {
    logger.warn({ ...fields, err: error }, UNREAD);
    return undefined;
  } finally {
    late.abort();
  }
}

const UNREAD = 'the text of a plan cannot be read, so its check run does not show it';
