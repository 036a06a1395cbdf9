/** A deployment that has ended is not begun again: somebody sent it again, or Temporal was restored from a backup. */
export class DeploymentEndedError extends Error {
  override readonly name = 'DeploymentEndedError';
  readonly code = 'DEPLOYMENT_ENDED';

  constructor(deploymentId: string) {
    super(`expected deployment ${deploymentId} to be under way, found in storage that it has ended`);
  }
}
