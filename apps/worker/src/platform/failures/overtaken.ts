import { RECORD_REMOVED } from '@nereid/storage';

/** Nothing was applied, and nothing will be: another deployment of the lane had its turn, or a person ended this one. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'OVERTAKEN';

  /** `by` is the id of the other deployment, or what the person did. */
  constructor(deploymentId: string, by: string) {
    super(`expected the turn of deployment ${deploymentId}, found that ${whatHappened(by)}: press Re-run`);
  }
}

function whatHappened(by: string): string {
  if (by === RECORD_REMOVED) return 'it ended so long ago that its record was removed';
  return isRevoked(by) ? `a person ${by} it` : `${by} had its turn since; nothing was applied`;
}

/** A person's answer to a deployment that will therefore not be applied. No id of a deployment is such a word. */
export type Revoked = 'cancelled' | 'rejected';

export function isRevoked(by: string): by is Revoked {
  return by === 'cancelled' || by === 'rejected';
}
