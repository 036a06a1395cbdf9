/** A console that starts again, or is away for a while, ends nobody's waiting. */
import { EXIT, ExitError } from '../exit-code.ts';
import { pause, throwIfEnded } from '../client/send.ts';

export interface Patience {
  /** It answered. */
  wasThere(): void;
  /** Waits a little. Throws the error when it is no absence, or when the console was away for too long. */
  endure(error: unknown): Promise<void>;
}

export interface PatienceOptions {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called once for each absence, with what is wrong. */
  readonly onAway: (why: string) => void;
}

/** A new release is rolled out within this, and people who look at the terminal have seen that something is wrong. */
const PATIENCE_MS = 5 * 60_000;

const PAUSE_MS = 1_000;

export function createPatience({ signal, now, onAway }: PatienceOptions): Patience {
  let awaySinceMs: number | undefined;
  return {
    wasThere() {
      awaySinceMs = undefined;
    },
    async endure(error) {
      throwIfEnded(signal);
      if (!(error instanceof ExitError) || error.exitCode !== EXIT.notNow) throw error;
      if (awaySinceMs === undefined) onAway(error.message);
      awaySinceMs ??= now();
      if (now() - awaySinceMs > PATIENCE_MS) throw error;
      await pause(PAUSE_MS, signal);
    },
  };
}
