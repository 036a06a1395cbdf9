/** Which of many jobs that wait for the same hosts or workers goes first. */
import { fairnessKey, type Repository } from '@nereid/domain/root';

/**
 * A person has already waited for an apply, so it goes before other plans. Previews take what is left. A workflow whose deployment has
 * its turn goes before lanes, which have the default (3): of hundreds of roots of one merge, the first ones are applied while the others
 * wait. A check of a wave goes after all deployments, because it comes again and again while the wave soaks.
 */
const PRIORITY = { apply: 2, turn: 2, deployment: 3, check: 4, preview: 4 } as const;

/** If the server has fairness, a merge of hundreds of roots holds up no other repository. */
export function priorityOf(job: keyof typeof PRIORITY, repository: Repository) {
  return { priorityKey: PRIORITY[job], fairnessKey: fairnessKey(repository) } as const;
}
