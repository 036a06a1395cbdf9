/** `skip`: this process has nothing that could be checked, or something else has to be right first. */
export type Outcome = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  readonly outcome: Outcome;
  /** A failure says what was expected, too. Never a secret. */
  readonly found: string;
  /** What to do about it; absent where nothing has to be done. */
  readonly remedy?: string;
}

export interface Check {
  /** Like `storage: plans`; unique in its process. */
  readonly name: string;
  /** One finding or several, at least one. The signal is aborted when the time of the check is over. */
  run(signal: AbortSignal): Promise<Finding | readonly Finding[]>;
}

export interface Examined extends Finding {
  /** Of the check. */
  readonly name: string;
}

export interface Diagnosis {
  /** Whose checks these are, like `worker`. */
  readonly process: string;
  /** Whether nothing failed. */
  readonly isHealthy: boolean;
  /** In the order of the checks. */
  readonly examined: readonly Examined[];
  readonly tookMs: number;
}
