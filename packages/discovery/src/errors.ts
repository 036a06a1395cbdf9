/** A revision takes more than its budget. Its author has to make it cheaper. */
export class DiscoveryBudgetError extends Error {
  override readonly name = 'DiscoveryBudgetError';
  readonly code = 'DISCOVERY_BUDGET';

  /** What it may take, and has exceeded: `20 s of computing`. */
  constructor(budget: string, options?: ErrorOptions) {
    super(
      `expected the roots of this revision to be found with at most ${budget}, found that it takes more; ` +
        'declare fewer roots and patterns, change fewer files at once, or split the repository',
      options,
    );
  }
}

/** Too many discoveries wait for a thread. Another attempt may succeed later. */
export class DiscoveryBusyError extends Error {
  override readonly name = 'DiscoveryBusyError';
  readonly code = 'DISCOVERY_BUSY';

  constructor(waiting: number, options?: ErrorOptions) {
    super(`expected fewer than ${waiting} discoveries to wait for a thread, found as many; try again`, options);
  }
}
