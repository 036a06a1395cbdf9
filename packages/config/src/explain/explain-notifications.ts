import type { RootPlace } from '../server/glob.ts';
import { reachingTopics, type Destination } from '../server/notifications/destinations.ts';
import { isInScope } from '../server/scope/scope.ts';
import type { ServerConfig } from '../server/server-config.ts';
import type { ExplainedSetting } from './explanation.ts';
import { explainEntry, explainScope } from './explain-entry.ts';
import type { NamedSource } from './parts.ts';

/** Every destination in whose scope the root is hears of it, and GitHub shows its applies. */
export function explainNotifications(
  { notifications }: Pick<ServerConfig, 'notifications'>,
  named: NamedSource,
  repository: string,
  place: RootPlace,
): readonly ExplainedSetting[] {
  return [...notifications.entries()]
    .filter(([, destination]) => isInScope(destination, { repository, root: place }))
    .map(([index, destination]) => explainDestination(index, destination, named, place));
}

/** The place in the list is that in the file: `deployments` comes after all of them. */
function explainDestination(
  index: number,
  destination: Destination,
  named: NamedSource,
  place: RootPlace,
): ExplainedSetting {
  const { target } = destination;
  if (target.kind === 'deployments') {
    const [key, written] = ['deployments', target.environment];
    const value = `GitHub shows each apply in the environment ${written}`;
    return explainScope({ key, path: [key], scope: destination, value, written }, named, place);
  }
  const topics = reachingTopics(destination);
  const value = `${target.kind}, told of ${topics.length === 0 ? 'nothing' : topics.join(', ')}`;
  return explainEntry(
    { section: 'notifications', index, entry: destination, value, written: target.kind },
    named,
    place,
  );
}
