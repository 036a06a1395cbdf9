/**
 * For a webhook that comes after the reconciler. The reconciler brings each root the newest commit that touched it, but the
 * push brings its last commit. A lane cannot tell that the two belong to the same push; the branch can.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { Root } from '@nereid/domain/root';
import { isWithin } from '../../root/is-within.ts';
import type { IntakeCall } from '../intake-call.ts';
import { COMMITS_LIMIT, findLost, findTouched } from './touched.ts';
import type { Stretch, Undeployed } from './undeployed.ts';

/** The roots except those whose lanes already have this push from the reconciler. */
export async function withoutReconciled(
  call: IntakeCall,
  policy: RepositoryPolicy,
  stretch: Stretch,
  { since, stored }: Undeployed,
  roots: readonly Root[],
): Promise<readonly Root[]> {
  const { repository, branch, before, after } = stretch;
  const mark = stored?.record.branch === branch ? stored.record.reconciledTo : undefined;
  // A push that is not late begins at the mark or after it. The reconciler has not seen commits that were left undeployed.
  if (mark === undefined || mark === before || since !== undefined) return roots;
  if (!(await isWithin(call, repository, after, mark))) return roots;

  const base = await call.context.mirrors.pushBase(repository, { before, after }, call.signal);
  const touched = await findTouched(call, { repository, policy, from: base, upTo: after });
  // Lanes drop what they have seen, but for a root that the reconciler brought with another commit.
  if (touched.commits.length > COMMITS_LIMIT) return roots;
  const { lost, failures } = await findLost(call, repository, touched);
  // A lane whose record cannot be read is signalled: once it has its record, it drops commits that it has seen.
  const untold = new Set([...lost, ...failures].map(({ root }) => root.name));
  const brought = new Set(touched.roots.map(({ root }) => root.name).filter((name) => !untold.has(name)));
  return roots.filter(({ name }) => !brought.has(name));
}
