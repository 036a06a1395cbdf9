/**
 * Reads the metrics of Temporal's SDK from the port on which the SDK serves them for Prometheus, on this machine only.
 *
 * The SDK's `MetricsBuffer` is no alternative: it is experimental, loses metrics that are not fetched in time, and leaves it
 * to us to add up counters and histograms. The SDK's port is not public, or operators would have to scrape two addresses.
 */
import type { Logger } from 'pino';

/** The SDK answers within milliseconds; Prometheus gives up on all our metrics after ten seconds. */
const PATIENCE_MS = 2_000;

/** Empty, with a line in the log, when the SDK does not answer: it has no port until Temporal is there. */
export async function readSdkMetrics(url: string, logger: Logger): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`expected the status 200, found ${response.status}`);
    return await response.text();
  } catch (error) {
    logger.warn({ err: error }, "the metrics of Temporal's SDK are missing: they could not be read");
    return '';
  }
}
