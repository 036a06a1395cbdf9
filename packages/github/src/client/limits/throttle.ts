/**
 * Bounds the number of concurrent requests, and how long we wait out GitHub's limits.
 *
 * The throttling plugin's own groups let one write through at a time, one a second, for all installations together.
 * Our groups bound the concurrency of each installation and leave no gaps: only GitHub's answers slow us down.
 */
import Bottleneck from 'bottleneck';
import { conversationOf } from './background.ts';

/** Of each installation; twenty roots are served in two rounds. */
const CONCURRENT_REQUESTS = 10;

/** Of all installations together. GitHub's documented limit is 100 per App, which two workers share. */
const CONCURRENT_REQUESTS_IN_ALL = 50;

/** Longer waits are left to the caller, who can wait durably and visibly. */
const PATIENCE_SECONDS = 10;

/** Once is a coincidence of bursts; twice means that the limit holds. */
const LIMIT_RETRIES = 2;

/** Each group has a member for each installation. An idle member is forgotten after two minutes, the plugin's own timeout. */
export function createThrottle() {
  const inAll = new Bottleneck({ maxConcurrent: CONCURRENT_REQUESTS_IN_ALL });
  const group = (maxConcurrent: number | null) => new Bottleneck.Group({ maxConcurrent, timeout: 120_000 });
  const global = group(CONCURRENT_REQUESTS);
  global.on('created', (member: Bottleneck) => member.chain(inAll));
  const groups = {
    global,
    search: group(1),
    // Token requests. The App asks for git's tokens of all installations, so an installation that gets no token must not hold
    // up the others. Token requests are not in the global group, whose requests wait for them; the client asks once for each
    // token.
    auth: group(CONCURRENT_REQUESTS),
    // Writes pass this group before they wait in the global one. It could only add gaps between them.
    write: group(null),
    notifications: group(null),
  };
  const waits = (seconds: number, options: { request?: object }, _octokit: unknown, retryCount: number): boolean =>
    conversationOf(options) === undefined && seconds <= PATIENCE_SECONDS && retryCount < LIMIT_RETRIES;

  return (id: string) => ({ id, ...groups, onRateLimit: waits, onSecondaryRateLimit: waits });
}
