/** Nothing was applied, and nothing will be: another deployment of the lane had its turn, or a person ended this one. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'OVERTAKEN';

  /** `by` is the id of the other deployment, or what the person did. */
  constructor(deploymentId: string, by: string) {
    const why = isRevoked(by)
      ? `found that a person ${by} it`
      : `found that ${by} had its turn since; nothing was applied`;
    super(`expected the turn of deployment ${deploymentId}, ${why}: press Re-run`);
  }
}

/** The answer of a person to a deployment that will therefore not be applied. No id of a deployment is such a word. */
export type Revoked = 'cancelled' | 'rejected';

export function isRevoked(by: string): by is Revoked {
  return by === 'cancelled' || by === 'rejected';
}
