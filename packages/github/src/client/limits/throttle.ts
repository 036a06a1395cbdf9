/**
 * How much we ask at once, and how long we wait when GitHub says "not so fast".
 *
 * The throttling plugin's own groups let one write through at a time, one a second, for all installations together.
 * Ours bound the concurrency of each installation and leave no gaps: GitHub's answers are what slows us down.
 */
import Bottleneck from 'bottleneck';
import { conversationOf } from './background.ts';

/** Of each installation: twenty roots are served in two rounds. */
const CONCURRENT_REQUESTS = 10;

/** Of all together. GitHub's documented limit is 100 an App, which two workers share. */
const CONCURRENT_REQUESTS_IN_ALL = 50;

/** Waiting longer is for the caller, who can do so durably and visibly. */
const PATIENCE_SECONDS = 10;

/** Once is a coincidence of bursts; twice means that the limit holds. */
const LIMIT_RETRIES = 2;

/** The groups are kept by installation; a group's member that rests is forgotten after the plugin's two minutes. */
export function createThrottle() {
  const inAll = new Bottleneck({ maxConcurrent: CONCURRENT_REQUESTS_IN_ALL });
  const group = (maxConcurrent: number | null) => new Bottleneck.Group({ maxConcurrent, timeout: 120_000 });
  const global = group(CONCURRENT_REQUESTS);
  global.on('created', (member: Bottleneck) => member.chain(inAll));
  const groups = {
    global,
    search: group(1),
    // Tokens. The App asks for those of git for all installations: one that does not get its own holds up no other. Not
    // among all the others, which wait for them; the client asks once for the same one.
    auth: group(CONCURRENT_REQUESTS),
    // Writes pass here before they wait with all others: only gaps between them could be made here.
    write: group(null),
    notifications: group(null),
  };
  const waits = (seconds: number, options: { request?: object }, _octokit: unknown, retryCount: number): boolean =>
    conversationOf(options) === undefined && seconds <= PATIENCE_SECONDS && retryCount < LIMIT_RETRIES;

  return (id: string) => ({ id, ...groups, onRateLimit: waits, onSecondaryRateLimit: waits });
}
