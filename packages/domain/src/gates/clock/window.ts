/** The windows of the server's file say when a root is deployed. Its clocks are control's, which gathers the facts. */
import { PASSES, type Gate } from '../gate.ts';

export interface WindowFacts {
  /** Absent while every window is open. */
  readonly closed?: {
    /** "change freeze “Year end”". */
    readonly because: string;
    /** Absent where no opening is in sight. */
    readonly opens?: {
      /** In epoch milliseconds. */
      readonly at: number;
      /** "Mon 08:00 Europe/Berlin". */
      readonly said: string;
    };
  };
}

export const gateOfWindow = {
  doors: ['plan', 'apply'],
  waitAtApply: 'keeps waiting',
  decide({ closed }, now) {
    if (closed === undefined) return PASSES;
    const { because, opens } = closed;
    if (opens === undefined)
      return { kind: 'waits', sentence: `Closed, with no opening in sight (${because})`, who: ['operators'] };
    if (opens.at <= now) return PASSES;
    return { kind: 'waits', sentence: `Closed until ${opens.said} (${because})`, who: ['operators'], until: opens.at };
  },
} as const satisfies Gate<WindowFacts>;
