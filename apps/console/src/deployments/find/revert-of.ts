import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { mayBeHalfApplied, preparedRevert, revertIdOf, type Deployment } from '@nereid/domain/deployment';
import type { PreviewRecord } from '@nereid/domain/pull-request';
import type { Pages } from '@nereid/forge';
import type { Asked } from '../../platform/temporal/asked.ts';
import type { LinkedRevert } from '../deployment-view.ts';

type ReadPreview = (id: string) => Promise<Asked<PreviewRecord>>;

/** Undefined where there is nothing to say. A page without it is still the page. */
export async function revertOf(
  readPreview: ReadPreview,
  pages: Pages,
  lane: LaneName,
  { id, progress }: Deployment,
): Promise<LinkedRevert | undefined> {
  if (!mayBeHalfApplied(progress)) return undefined;
  const stored = await readPreview(revertIdOf(id));
  if (stored.kind !== 'found') return undefined;
  const { deployment } = stored.value;
  const revert = preparedRevert(id, deployment);
  const number = deployment.preview?.reverts?.pullRequest;
  const pullRequest = number === undefined ? undefined : pages.pullRequest(lane, number);
  return revert && { ...revert, ...defined({ pullRequest }) };
}
