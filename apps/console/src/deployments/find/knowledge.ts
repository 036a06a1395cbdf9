/** The part of a deployment's view that a lane, a workflow or a record tells us; the other fields follow from it. Pure. */
import type { OfferedAction } from '@nereid/domain/actions';
import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { hasEnded, type Deployment, type Unlock, warningsOf } from '@nereid/domain/deployment';
import { seenFacts } from '@nereid/domain/intake';
import type { LaneView } from '@nereid/domain/lane';
import type { Signed } from '@nereid/domain/signed';
import type { Root } from '@nereid/domain/root';
import { pressableOn } from '@nereid/texts';
import { canBreakGlass, confirmingRules, describeReview, describeRules } from '@nereid/domain/gates';
import { digestOf } from '@nereid/signature';
import type { DeploymentView, ShownRoot } from '../deployment-view.ts';

export type Knowledge = Omit<DeploymentView, 'id' | 'lane' | 'unavailable' | 'links'>;

/** How a deployment waits in its lane. */
type Wait = Partial<Pick<Knowledge, 'ahead' | 'lock'>>;

export function knowledgeOf(name: LaneName, whole: Deployment, lane: LaneView | undefined, wait: Wait = {}): Knowledge {
  const { progress, root, warning: _warning, formerly: _formerly, ...deployment } = whole;
  const answers = (progress.approvals ?? []).map(({ body }) => body);
  const rules = progress.status === 'awaiting-review' ? [] : confirmingRules(whole);
  const unlocked = progress.status === 'apply-outcome-unknown' ? unlockedOf(deployment.id, lane) : undefined;
  return {
    deployment: { ...deployment, root: shownRoot(root) },
    progress,
    ...wait,
    ...(unlocked && { unlocked }),
    ...(progress.status === 'awaiting-review' && {
      review: describeReview(root.permissions.confirm, root.review, answers),
    }),
    ...(rules.length > 0 && { confirmedBy: describeRules(rules) }),
    warnings: warningsOf(whole),
    offers: offersFor({ ...whole, ...(unlocked && { unlocked }) }, wait),
    ...(progress.plan && { seen: digestOf(seenFacts(name, whole, progress.plan)) }),
  };
}

/** An unlock comes after its deployment has ended: the lane keeps the latest unlocks, the deployment's record has none. */
function unlockedOf(id: string, lane: LaneView | undefined): Signed<Unlock> | undefined {
  return lane?.lifted.findLast(({ deploymentId }) => deploymentId === id)?.unlock;
}

/** Ends after which a revision is deployed once more, as on the forge. */
const FAILED: readonly string[] = [
  'plan-failed',
  'rejected',
  'expired',
  'apply-failed',
  'apply-outcome-unknown',
  'cancelled',
  'refused',
  'host-lost',
];

function offersFor(deployment: Deployment, { lock }: Wait): readonly OfferedAction[] {
  const { progress, trigger } = deployment;
  const { status } = progress;
  const buttons = pressableOn({ deployment, ...(lock && { lock }) }).map(({ kind }) => kind);
  if (trigger === 'preview') return buttons;
  const besides = [
    ...(canBreakGlass(progress) ? (['break_glass'] as const) : []),
    ...(isExtensible(progress) ? (['extend'] as const) : []),
    // A forge shows buttons on completed check runs only, and that of a plan behind a closed gate is not.
    ...(status === 'blocked' && progress.plan ? (['reject'] as const) : []),
  ];
  if (!hasEnded(status)) return [...buttons, ...besides, 'cancel'];
  return FAILED.includes(status) ? [...buttons, 'rerun'] : buttons;
}

/** A review that nobody has given expires. */
function isExtensible({ status, review }: Deployment['progress']): boolean {
  return status === 'awaiting-review' && review === undefined;
}

function shownRoot({ name, dir, realDir, workspace, distribution, terraformVersion, ...root }: Root): ShownRoot {
  const { planReview, onFailure, varFiles, pool } = root;
  return {
    name,
    dir,
    workspace,
    distribution,
    ...defined({ realDir, terraformVersion }),
    planReview,
    onFailure,
    varFiles,
    ...defined({ pool }),
  };
}
