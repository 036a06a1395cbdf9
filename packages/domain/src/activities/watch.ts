import type { InParts } from '../parts.ts';

/** On the queue `deploy`, for the watch workflow. */
export interface WatchActivities {
  watch: InParts<WatchParts>;
}

/** Each can be retried. None ends or resets a workflow. */
export interface WatchParts {
  /** Returns the result of the last watch; null when Temporal knows none. */
  lastWatch(): Promise<WatchResult | null>;
  /**
   * Raises the alarm for each stuck workflow; `before` is the list from the last watch. Then stores what the audit trail is owed,
   * starts lanes that were ended by force lately, reminds people of reviews, answers runs of GitHub Actions that wait for roots, and
   * announces windows that close soon; each of these on its own, whatever comes of the others.
   */
  reportStuck(before: readonly StuckWorkflow[]): Promise<StuckReport>;
  /** Starts every lane that does not run and whose record has work. Returns a sentence for each. */
  resumeLanes(): Promise<readonly string[]>;
  /**
   * Tells lanes the end of deployments whose terraform workflow was ended by force. Looks at workflows that closed after
   * `after`, where the last look stopped.
   */
  reportClosed(after: string | undefined): Promise<ClosedReport>;
}

/** A workflow whose task fails again and again. It does nothing until an operator repairs it. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  /** A name from `WORKFLOW`. */
  readonly type: string;
  /** Why its task fails, for operators; at most 200 characters. */
  readonly reason: string;
  /** The event of its history after which it does nothing. Absent where that is not known, and from an older release. */
  readonly stuckAfter?: number;
  /** Whether the check runs that it holds up say that it is stuck. */
  readonly isShown: boolean;
  /** The workflow goes on, but its check runs may still say that it is stuck. */
  readonly goesOn?: true;
}

export interface StuckReport {
  /** How many are stuck. */
  readonly count: number;
  /** At most 200 of the stuck ones, and those that go on but whose check runs may still say that they are stuck. */
  readonly workflows: readonly StuckWorkflow[];
  /** Absent before the first look, and while nobody knows of the last one. */
  readonly windows?: LookedAtWindows;
}

/** The last look for windows that close soon. */
export interface LookedAtWindows {
  /** ISO 8601. */
  readonly at: string;
  /** The digests of the last windows of the server's file, at most 5. */
  readonly files: readonly string[];
}

export interface ClosedReport {
  /** A sentence for each lane that was told. */
  readonly found: readonly string[];
  /** When the last workflow of this look closed, ISO 8601; absent when none is left to look at. */
  readonly after?: string;
}

/** Result of the watch workflow, for the Temporal UI and for the next watch. */
export interface WatchResult {
  readonly stuck: StuckReport;
  /** At most 100. */
  readonly found: readonly string[];
  /** The parts that failed, each with its reason, at most 300 characters. */
  readonly failed: readonly string[];
  /** When lanes were last checked, ISO 8601. */
  readonly lanesAt: string;
  /** Where the last look at closed terraform workflows stopped: `after` of its report. */
  readonly closedAfter?: string;
}
