/** A lane that is locked keeps its deployments waiting until somebody unlocks it. The queue asks it of each in order. */
import type { Lock } from '../deployment/lock.ts';
import type { Deployment } from '../deployment/model.ts';
import { describeLock, passes } from '../deployment/rules/lock.ts';
import { PASSES, type Gate } from './gate.ts';

export interface TurnFacts {
  readonly deployment: Pick<Deployment, 'trigger' | 'rerun' | 'revision'>;
  /** Of its lane. */
  readonly lock: Lock | undefined;
}

export const gateOfTurn = {
  doors: ['plan', 'apply'],
  waitAtApply: 'ends it',
  isTakenAtApply: true,
  decide({ deployment, lock }) {
    if (lock === undefined || passes(deployment, lock)) return PASSES;
    return { kind: 'waits', sentence: `the lane is locked by ${describeLock(lock)}`, who: ['unlock'] };
  },
} as const satisfies Gate<TurnFacts>;
