/** Another deployment of the lane had its turn: nothing was applied, and nothing will be. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'OVERTAKEN';

  constructor(deploymentId: string, by: string) {
    super(
      `expected the turn of deployment ${deploymentId}, found that ${by} had its turn since; nothing was applied: press Re-run`,
    );
  }
}
