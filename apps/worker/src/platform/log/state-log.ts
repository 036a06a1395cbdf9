/**
 * Says in the log how each deployment stands, whenever that is shown on its check run: so a line answers why a root waits, in the
 * words that people read on the forge. A lane shows only differences, and only states that last; positions in the queue are none.
 */
import type { Presentation } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { checkRunTitle } from '@nereid/texts';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** `presentations` is what is about to be shown. Previews are not logged: nothing waits for them. */
export type StateLog = (repository: Pick<Repository, 'owner' | 'name'>, presentations: readonly Presentation[]) => void;

/** The lanes of a large installation, with long queues. What is forgotten is logged once more when it is shown again. */
const REMEMBERED = 20_000;

/** A state is shown again if the forge did not take it, or if a place in the queue has changed: that is said once. */
export function createStateLog(logger: Pick<Logger, 'info'>): StateLog {
  const logged = new LRUCache<string, string>({ max: REMEMBERED });
  return (repository, presentations) => {
    for (const presentation of presentations) {
      const { deployment } = presentation;
      if (deployment.trigger === 'preview') continue;
      const { ahead: _place, ...placeless } = presentation;
      const state = `${deployment.progress.status}: ${checkRunTitle(placeless)}`;
      if (logged.get(deployment.id) === state) continue;
      logged.set(deployment.id, state);
      logger.info(fieldsOf(repository, presentation), 'deployment state');
    }
  };
}

function fieldsOf(repository: Pick<Repository, 'owner' | 'name'>, presentation: Presentation) {
  const { deployment, lock } = presentation;
  const { id, root, revision, progress, receivedAt } = deployment;
  const entered = progress.times[progress.status] ?? receivedAt;
  return {
    deployment: id,
    repository: fullName(repository),
    root: root.name,
    revision: revision.sha,
    status: progress.status,
    since: lock !== undefined && lock.at > entered ? lock.at : entered,
    sentence: checkRunTitle(presentation),
  };
}
