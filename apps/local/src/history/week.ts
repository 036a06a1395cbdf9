/** A week of a repository, as far as it does not depend on commits: those are known once the repository is made. */
import type { EndedStatus, Progress } from '@nereid/domain/deployment';
import type { PastChange } from '@nereid/github-stand-in';
import type { DeployedRoot } from '../stack/own-states.ts';
import type { Edit } from './edit.ts';
import type { MadeUpRepository } from './made-up-repositories.ts';

export interface RepositoryWeek {
  readonly repository: MadeUpRepository;
  readonly createdAt: string;
  /** In the order of their numbers, from 1: merged ones in the order of their merges. */
  readonly changes: readonly PastChange[];
  /** Of each root, one after the other. */
  readonly deployments: readonly MadeUpDeployment[];
}

export interface MadeUpDeployment {
  readonly id: string;
  readonly requestId: string;
  readonly root: DeployedRoot;
  /** The number of its pull request. */
  readonly number: number;
  readonly trigger: 'merge' | 'manual';
  readonly rerun: boolean;
  readonly requestedBy: string;
  readonly receivedAt: string;
  readonly endedAt: string;
  readonly status: EndedStatus;
  readonly progress: Progress;
  readonly edits: readonly Edit[];
  /** Of its plan; absent for a plan without changes. */
  readonly text?: string;
  /** Present when somebody without the permission wanted to confirm the plan. */
  readonly refused?: { readonly by: string; readonly at: string };
}
