/** Warnings of what fails again and again, such as a record that nobody can read: each once, and once more after a while. */
import type { Logger } from 'pino';

export interface RareWarnings {
  warn(subject: string, fields: object, message: string): void;
  /** It works again, so that its next failure is news. */
  forget(subject: string): void;
}

/** Somebody who reads the log of the last hour finds it. */
const AGAIN_MS = 3_600_000;

export function createRareWarnings(logger: Pick<Logger, 'warn'>): RareWarnings {
  const warnedAt = new Map<string, number>();
  return {
    warn(subject, fields, message) {
      const now = Date.now();
      // Also of what is gone: the map holds the failures of an hour.
      for (const [known, at] of warnedAt) if (now - at >= AGAIN_MS) warnedAt.delete(known);
      if (warnedAt.has(subject)) return;
      warnedAt.set(subject, now);
      logger.warn(fields, message);
    },

    forget: (subject) => void warnedAt.delete(subject),
  };
}
