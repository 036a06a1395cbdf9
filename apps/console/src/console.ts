import { createApp } from './app.ts';
import type { ConsoleConfig } from './config.ts';
import type { Context } from './context.ts';
import { listen } from './listener.ts';

export interface Console {
  /** `host:port` as it really is. */
  readonly address: string;
  /** Ends what follows a log, finishes the pages in flight, lets go of everything. */
  close(): Promise<void>;
}

/** Longer than any page takes: it waits for Temporal at most three times, for 2 s each. */
const GRACE_MS = 8_000;

export async function openConsole({ address }: Pick<ConsoleConfig, 'address'>, context: Context): Promise<Console> {
  const pages = await listen(createApp(context), address, 'CONSOLE_ADDRESS');
  context.logger.info({ address: pages.address }, 'listening');
  return {
    address: pages.address,
    close: async () => {
      context.stopping.abort();
      await pages.close(GRACE_MS);
      await context.close();
    },
  };
}
