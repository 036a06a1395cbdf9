/** Decides whether links carry a key: everybody in the world reads the check runs and comments of a public repository. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Secret } from '@nereid/config';
import { fullName, type Repository } from '@nereid/contracts';
import type { WorkerContext } from '../../context.ts';

/** A write of check runs has a minute. GitHub answers within a second, and each answer serves for minutes. */
const ANSWERED_WITHIN_MS = 3_000;

/** Undefined when the links of this repository carry no key. Never throws: what is written is written without a key. */
export async function linkSecret(
  { config: { links }, github, logger }: Pick<WorkerContext, 'config' | 'github' | 'logger'>,
  repository: Repository,
  answeredWithinMs = ANSWERED_WITHIN_MS,
): Promise<Secret | undefined> {
  if (links.key === undefined || links.keyedRepositories === 'all') return links.key;
  const late = new AbortController();
  try {
    const isPublic = await Promise.race([
      github.repositories.isPublic(repository),
      pause(answeredWithinMs, 'unknown', { signal: late.signal }),
    ]);
    if (isPublic !== 'unknown') return isPublic ? undefined : links.key;
    logger.warn({ repository: fullName(repository) }, UNKNOWN);
  } catch (error) {
    logger.warn({ err: error, repository: fullName(repository) }, UNKNOWN);
  } finally {
    late.abort();
  }
  return undefined;
}

const UNKNOWN = 'GitHub does not say whether a repository is public, so its links are written without a key';
