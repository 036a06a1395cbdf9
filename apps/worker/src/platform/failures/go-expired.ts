/** The permission came too late to be used. Nothing was applied. */
export class GoExpiredError extends Error {
  override readonly name = 'GoExpiredError';
  readonly code = 'GO_EXPIRED';

  constructor(expiresAt: string) {
    super(
      `expected permission to apply that is still good, found one that ended ${expiresAt}; it is asked for again. Look at the clock of this host, and at what it does before an apply`,
    );
  }
}
