import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '@nereid/config';
import type { Logger } from 'pino';
import type { RunningProcess } from '../run-process.ts';
import { checkTemporal, refuseUnfit, type Checked } from './check-temporal.ts';

/** Between looks at a Temporal that is away. */
const PAUSE_MS = 2_000;

/**
 * Opens a process that works, in part, while Temporal is away. A Temporal that is there and unfit is refused before anything is
 * opened; one that proves unfit when it is back breaks the process, whose supervisor starts it again, and then it is refused.
 */
export async function openWithTemporal(
  temporal: Checked,
  logger: Pick<Logger, 'warn' | 'info'>,
  open: () => Promise<RunningProcess>,
): Promise<RunningProcess> {
  const first = await checkTemporal(temporal);
  refuseUnfit(first);
  const running = await open();
  if (first.kind === 'fit') return running;
  logger.warn({ reason: first.why }, 'Temporal is away, so it is not known yet whether it is what this process needs');
  const closing = new AbortController();
  const unfit = untilUnfit(temporal, closing.signal, () => logger.info('Temporal is back'));
  return {
    ...running,
    broken: Promise.race([unfit, ...(running.broken ? [running.broken] : [])]),
    close: async () => {
      closing.abort();
      await running.close();
    },
  };
}

/** Never resolves when Temporal proves fit, or the process closes before. */
function untilUnfit(temporal: Checked, closing: AbortSignal, onFit: () => void): Promise<unknown> {
  return new Promise((resolve) => {
    void look();

    async function look(): Promise<void> {
      while (!closing.aborted) {
        await pause(PAUSE_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
        const checked = await checkTemporal(temporal);
        if (checked.kind === 'unfit') resolve(new ConfigurationError([checked.problem]));
        if (checked.kind === 'fit') onFit();
        if (checked.kind !== 'away') return;
      }
    }
  });
}
