import type { RootAction } from '@nereid/domain/intake';

/** The subject of a person's action. Requests for a host are about no root. */
export type ActionSubject = Pick<
  RootAction,
  'rootNames' | 'revision' | 'deploymentId' | 'pullRequest' | 'beforeMerge' | 'lockId' | 'reason'
>;

export const NO_ROOT: ActionSubject = { rootNames: [] };
