/** Which repositories a message of ours is about, as far as it says so itself. A pure function. */
import { fullName, type Repository } from '@nereid/domain/root';

type Named = Pick<Repository, 'owner' | 'name'>;

/** Ours have some tens at most. */
const REPOSITORIES_LIMIT = 100;

/** Deeper than any message of ours. */
const DEPTH_LIMIT = 50;

/**
 * Every repository that the message names, wherever it does. Undefined when it names none, or so many or so deep that it is none of
 * ours: then nobody can say who may read it.
 *
 * Only the message itself counts. The workflow it belongs to says less than it seems: whoever reaches Temporal can send the message
 * of one repository to the workflow of another.
 */
export function namedRepositories(message: unknown): readonly Named[] | undefined {
  const found = new Map<string, Named>();
  const left = [{ value: message, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    const repository = repositoryIn(value);
    if (repository !== undefined) found.set(fullName(repository), repository);
    if (depth === DEPTH_LIMIT || found.size > REPOSITORIES_LIMIT) return undefined;
    for (const inside of Object.values(value)) left.push({ value: inside, depth: depth + 1 });
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** The object is a repository, or has the full name of one. */
function repositoryIn(value: object): Named | undefined {
  const { owner, name, repository } = value as Partial<Record<'owner' | 'name' | 'repository', unknown>>;
  if (typeof owner === 'string' && typeof name === 'string') return { owner, name };
  const parts = typeof repository === 'string' ? /^([^/]+)\/([^/]+)$/.exec(repository) : null;
  return parts?.[1] !== undefined && parts[2] !== undefined ? { owner: parts[1], name: parts[2] } : undefined;
}
