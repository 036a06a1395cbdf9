/**
 * How much we ask at once, and how long we wait when GitHub says "not so fast".
 *
 * The throttling plugin's own groups let one write through at a time, one a second, for all installations together.
 * Ours bound the concurrency of each installation and leave no gaps: GitHub's answers are what slows us down.
 */
import Bottleneck from 'bottleneck';

/** GitHub's documented limit is 100 concurrent requests an App; ten for each installation serve twenty roots at once. */
const CONCURRENT_REQUESTS = 10;

/** GitHub asks integrators not to write concurrently without need; five presents twenty check runs in four rounds. */
const CONCURRENT_WRITES = 5;

/** Waiting longer is for the caller, who can do so durably and visibly. */
export const PATIENCE_SECONDS = 10;

/** Once is a coincidence of bursts; twice means that the limit holds. */
const LIMIT_RETRIES = 2;

/** The groups are kept by installation; a group's member that rests is forgotten after the plugin's two minutes. */
export function createThrottle() {
  const group = (maxConcurrent: number) => new Bottleneck.Group({ maxConcurrent, timeout: 120_000 });
  const groups = {
    global: group(CONCURRENT_REQUESTS),
    write: group(CONCURRENT_WRITES),
    notifications: group(CONCURRENT_WRITES),
    search: group(1),
    // Tokens are asked for rarely and cached; one at a time keeps a burst from asking for the same one twice.
    auth: group(1),
  };
  const waits = (retryAfterSeconds: number, _options: unknown, _octokit: unknown, retryCount: number): boolean =>
    retryAfterSeconds <= PATIENCE_SECONDS && retryCount < LIMIT_RETRIES;

  return (id: string) => ({ id, ...groups, onRateLimit: waits, onSecondaryRateLimit: waits });
}
