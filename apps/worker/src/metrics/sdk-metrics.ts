/**
 * The metrics of Temporal's SDK, as it shows them to Prometheus on a port of this machine alone.
 *
 * Not its `MetricsBuffer`: that one is experimental, loses what is not fetched in time, and would have us add up counters
 * and histograms that the SDK adds up itself. Not its port in the open: an operator would have two addresses to scrape.
 */
import type { Logger } from 'pino';

/** It answers within milliseconds; Prometheus gives up on all of us after ten seconds. */
const PATIENCE_MS = 2_000;

/** Nothing, and a line in the log, where it does not answer: until Temporal is there it has no port. */
export async function readSdkMetrics(url: string, logger: Logger): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`expected the status 200, found ${response.status}`);
    return await response.text();
  } catch (error) {
    logger.warn({ err: error }, "the metrics of Temporal's SDK are missing: it did not show them");
    return '';
  }
}
