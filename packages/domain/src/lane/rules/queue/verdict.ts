/**
 * Decides whether a revision may be deployed, by a comparison with the latest deployment of the lane.
 *
 * | compared with latest | merge                  | manual               | rerun   |
 * | -------------------- | ---------------------- | -------------------- | ------- |
 * | no latest            | run                    | run, review required | run     |
 * | ahead                | run                    | run, review required | run     |
 * | identical            | skipped                | run, review required | run     |
 * | behind               | skipped                | refused              | refused |
 * | diverged             | run, review required   | run, review required | refused |
 *
 * A manual deployment comes from a branch and may lack the last merge that was deployed before it. So a merge is compared with
 * that last merge as well (`mergeBefore`). If it is behind or identical, it is late and is skipped, whatever the table says.
 *
 * "Run" follows the root's own `plan_review`; "review required" overrides `plan_review: auto`.
 */
import { isByHand } from '../../../gates/needs-review.ts';
import type { Deployment } from '../../../deployment/model.ts';
import { shortSha } from '../../../deployment/revision.ts';
import type { Comparison } from '../../activities.ts';
import type { Latest } from '../../record.ts';

export type Verdict =
  /** `warning` is a sentence that a person has to read before they confirm the plan. */
  | { readonly kind: 'run'; readonly reviewRequired: boolean; readonly warning?: string }
  | { readonly kind: 'skipped' | 'refused'; readonly sentence: string };

export function verdictOn(
  deployment: Pick<Deployment, 'trigger' | 'rerun' | 'revision'>,
  comparison: Comparison | 'no latest',
  latest: Pick<Latest, 'revision' | 'mergeBefore'> | undefined,
  withMergeBefore?: Comparison,
): Verdict {
  const isManual = isByHand(deployment);
  const deployed = latest === undefined ? '' : shortSha(latest.revision);
  if (withMergeBefore === 'identical' || withMergeBefore === 'behind')
    return { kind: 'skipped', sentence: lateSentence(shortSha(latest?.mergeBefore ?? ''), deployed) };

  switch (comparison) {
    case 'no latest':
    case 'ahead':
      return { kind: 'run', reviewRequired: isManual };
    case 'identical':
      if (deployment.rerun || isManual) return { kind: 'run', reviewRequired: isManual };
      return { kind: 'skipped', sentence: `Already deployed: ${deployed} is the latest deployment of this root.` };
    case 'behind':
      return {
        kind: isManual || deployment.rerun ? 'refused' : 'skipped',
        sentence: `Already contained in ${deployed}, which is deployed. To go back, revert on the default branch and merge.`,
      };
    case 'diverged':
      if (!deployment.rerun) return { kind: 'run', reviewRequired: true, warning: notContained(deployment, deployed) };
      return {
        kind: 'refused',
        sentence: `Another history is deployed: ${deployed} does not contain ${shortSha(deployment.revision.sha)}, nor the other way round. Merge a new change to this root instead.`,
      };
  }
}

/** The plan does not show this: resources that are not in this revision's files are destroyed as if they had been removed. */
function notContained({ revision }: Pick<Deployment, 'revision'>, deployed: string): string {
  return `${deployed} is deployed, and ${shortSha(revision.sha)} does not contain it. This plan removes what ${deployed} brought.`;
}

function lateSentence(mergeBefore: string, deployed: string): string {
  return `Already contained in ${mergeBefore}, which was deployed before the manual deployment of ${deployed}. The next merge to this root undoes what ${deployed} changed.`;
}
