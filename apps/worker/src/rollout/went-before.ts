/** What a deployment waited for may have changed what its plan was made from. */
import type { Deployment } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { readRollout, type RolloutContext } from './outcomes.ts';

/** The name of a root that goes before this one, also through others, and that was applied in the same rollout. */
export async function wentBefore(
  context: RolloutContext,
  repository: Repository,
  { root, rollout }: Pick<Deployment, 'root' | 'rollout'>,
): Promise<string | undefined> {
  if (rollout === undefined) return undefined;
  const { graph } = await readRollout(context, repository, rollout);
  const seen = new Set<string>();
  const left = [...graph.waitsFor(root.name)];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { rootName, deploymentId = '' } = next;
    if (seen.has(rootName)) continue;
    seen.add(rootName);
    const record = await context.deploymentRecords.find(repository, rootName, deploymentId);
    if (record?.deployment.progress.status !== 'no-changes') return rootName;
    left.push(...graph.waitsFor(rootName));
  }
  return undefined;
}

export function changedBefore(rootName: string): string {
  return `${rootName}, which goes before this root, was deployed since that plan was made`;
}
