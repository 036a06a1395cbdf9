/**
 * A webhook that comes after the reconciler: that brought to each root the newest commit that touched it, which of a push of
 * several commits need not be the last. The lane does not know the two for the same; the branch does.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { Root } from '@nereid/contracts';
import type { IntakeCall } from '../intake-call.ts';
import { findLost, findTouched } from './touched.ts';
import { isWithin, type Stretch, type Undeployed } from './undeployed.ts';

/** The roots without those to whose lanes the reconciler has brought this very push. */
export async function withoutReconciled(
  call: IntakeCall,
  policy: RepositoryPolicy,
  stretch: Stretch,
  { since, stored }: Undeployed,
  roots: readonly Root[],
): Promise<readonly Root[]> {
  const { repository, branch, before, after } = stretch;
  const mark = stored?.record.branch === branch ? stored.record.reconciledTo : undefined;
  // A push that is not late begins where the reconciler ended, or after that. What was left undeployed it has not seen.
  if (mark === undefined || mark === before || since !== undefined) return roots;
  if (!(await isWithin(call, repository, after, mark))) return roots;

  const { base } = await call.context.mirrors.changedFiles(repository, { kind: 'push', before, after }, call.signal);
  const touched = await findTouched(call, { repository, policy, from: base, upTo: after });
  const { lost, failures } = await findLost(call, repository, touched);
  // A lane whose record cannot be read is told: it drops what it has seen once it can.
  const untold = new Set([...lost, ...failures].map(({ root }) => root.name));
  const brought = new Set(touched.roots.map(({ root }) => root.name).filter((name) => !untold.has(name)));
  return roots.filter(({ name }) => !brought.has(name));
}
