/** Who is reminded of a review that nobody has given, and when. Each reminder comes once in a wait. */

/** All times are counted from the beginning of the wait, in milliseconds. */
export interface Reminders {
  readonly remindMs: readonly number[];
  /** From then on, the wait is also this team's. */
  readonly escalate?: { readonly afterMs: number; readonly to: string };
}

/** The reminders of a wait so far. */
export interface Reminded {
  /** The latest reminder; 0 before the first. */
  readonly remindedMs: number;
  readonly isEscalated: boolean;
}

interface DueReminder {
  readonly afterMs: number;
  /** The team of an escalation, `org/slug`. */
  readonly team?: string;
}

export const NEVER_REMINDED: Reminded = { remindedMs: 0, isEscalated: false };

/** Of several reminders that have become due since the last look, only the latest is worth saying. */
export function dueReminders(
  { remindMs, escalate }: Reminders,
  said: Reminded,
  elapsedMs: number,
): readonly DueReminder[] {
  const afterMs = Math.max(...remindMs.filter((each) => each > said.remindedMs && each <= elapsedMs));
  const isEscalation = escalate !== undefined && !said.isEscalated && escalate.afterMs <= elapsedMs;
  return [
    ...(afterMs > 0 ? [{ afterMs }] : []),
    ...(isEscalation ? [{ afterMs: escalate.afterMs, team: escalate.to }] : []),
  ];
}

export function remindedOf(said: Reminded, due: readonly DueReminder[]): Reminded {
  const own = due.flatMap(({ afterMs, team }) => (team === undefined ? [afterMs] : []));
  return {
    remindedMs: Math.max(said.remindedMs, ...own),
    isEscalated: said.isEscalated || due.some(({ team }) => team !== undefined),
  };
}
