import type { NotificationLinks } from '@nereid/domain/notification';
import type { Forge } from '@nereid/forge';
import { deploymentUrl, rolloutUrl } from '@nereid/texts';
import type { WorkerConfig } from '../config/config.ts';

/** Without the keys that links of check runs may have: a notification goes to people whom GitHub does not know. */
export function notificationLinks(
  { links }: Pick<WorkerConfig, 'links'>,
  { pages }: Pick<Forge, 'pages'>,
): NotificationLinks {
  return {
    toDeployment({ owner, name }, { id, root, checkRuns, pullRequest }) {
      const repository = { owner, name };
      const checkRun = checkRuns.at(-1);
      return {
        page: deploymentUrl(links.consoleUrl, undefined, id, { ...repository, rootName: root.name }),
        ...(checkRun && { checkRun: pages.status(repository, checkRun.id) }),
        ...(pullRequest !== undefined && { pullRequest: pages.pullRequest(repository, pullRequest) }),
      };
    },
    toRollout: ({ owner, name }, sha) => ({ page: rolloutUrl(links.consoleUrl, { owner, name, sha }) }),
  };
}
