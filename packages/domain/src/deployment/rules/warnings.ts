import { doubtsOf } from '../../plan/doubts.ts';
import type { Deployment } from '../model.ts';

type Warned = Pick<Deployment, 'warning' | 'formerly' | 'progress'>;

/** Sentences that a person has to read before they confirm the plan; none where nobody can act on them any more. */
export function warningsOf({ warning, formerly, progress: { status, plan } }: Warned): readonly string[] {
  if (status !== 'awaiting-review' && status !== 'planned') return [];
  return [
    formerly &&
      `This directory and workspace were deployed as ${formerly.rootName} before, so a person reviews the plan under the new name.`,
    ...(plan ? doubtsOf(plan) : []),
    warning,
  ].filter((sentence) => sentence !== undefined);
}
