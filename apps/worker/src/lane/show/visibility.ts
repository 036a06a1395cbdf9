/** Everybody in the world reads the check runs and comments of a public repository. */
import { setTimeout as pause } from 'node:timers/promises';
import { fullName, type Repository } from '@nereid/domain/root';
import type { OfForge, WorkerContext } from '../../platform/context.ts';

/** A write of check runs has a minute. The forge answers within a second, and each answer serves for minutes. */
const ANSWERED_WITHIN_MS = 3_000;

/** Whether the repository is public; undefined while the forge does not say. Never throws. */
export async function isReadByEverybody(
  { forge, logger }: OfForge<'repositories'> & Pick<WorkerContext, 'logger'>,
  repository: Repository,
  answeredWithinMs = ANSWERED_WITHIN_MS,
): Promise<boolean | undefined> {
  const late = new AbortController();
  try {
    const isPublic = await Promise.race([
      forge.repositories.isPublic(repository),
      pause(answeredWithinMs, undefined, { signal: late.signal }),
    ]);
    if (isPublic === undefined) logger.warn({ repository: fullName(repository) }, UNKNOWN);
    return isPublic;
  } catch (error) {
    logger.warn({ err: error, repository: fullName(repository) }, UNKNOWN);
    return undefined;
  } finally {
    late.abort();
  }
}

const UNKNOWN = 'the forge does not say whether a repository is public, so it is written to as if it were';
