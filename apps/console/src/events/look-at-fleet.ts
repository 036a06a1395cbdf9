/** The look at everything that lists show: lanes, how deployments ended that left them, hosts. */
import type { Pages } from '@nereid/forge';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Picture, ReadFleet } from '../fleet/fleet.ts';
import type { KnownHosts } from '../hosts/list-hosts.ts';
import type { ReadHosts } from '../hosts/read-hosts.ts';
import type { Endings } from './endings.ts';
import { fleetChanges } from './fleet-changes.ts';
import type { Publish } from './watch.ts';

export interface FleetSources {
  readonly readFleet: ReadFleet;
  readonly readHosts: ReadHosts;
  readonly endings: Endings;
  readonly forgePages: Pages;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A storage that hangs delays no news of lanes. */
const PATIENCE_MS = 2_000;

export function createLookAtFleet(sources: FleetSources): (publish: Publish) => Promise<void> {
  const { readFleet, readHosts, endings, forgePages, logger } = sources;
  let picture: Picture | undefined;
  let hosts: KnownHosts | undefined;

  const lookForEndings = oneAtATime(async (publish) => {
    try {
      publish(await endings.look());
    } catch (error) {
      logger.warn({ err: error }, 'the records of deployments that ended cannot be read');
    }
  });

  const lookAtHosts = oneAtATime(async (publish) => {
    const [before, now] = [hosts, await readHosts()];
    if (now === undefined) return;
    hosts = now;
    if (before !== undefined && textOf(before) !== textOf(now)) publish([{ kind: 'hosts', hosts: now.list }]);
  });

  return async (publish) => {
    const [before, now] = [picture, await readFleet()];
    const { changes, left } = fleetChanges(before ?? now, now, forgePages);
    picture = now;
    publish(changes);
    endings.expect(left);
    const others = Promise.all([lookForEndings(publish), lookAtHosts(publish)]);
    await Promise.race([others, sleep(PATIENCE_MS, undefined, { ref: false })]);
  };
}

/** While it goes on, it is not begun again. */
function oneAtATime(look: (publish: Publish) => Promise<void>): (publish: Publish) => Promise<void> {
  let looking: Promise<void> | undefined;
  return (publish) => (looking ??= look(publish).finally(() => (looking = undefined)));
}

/** That a host was heard of again, or wrote a file, changes nothing. */
function textOf({ list: { items, stopped }, holders }: KnownHosts): string {
  return JSON.stringify([items.map(({ at: _at, disk: _disk, ...host }) => host), stopped, [...holders]]);
}
