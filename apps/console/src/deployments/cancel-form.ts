import type { DeploymentBrief, LaneSummary } from '@nereid/api';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import type { Html } from '../platform/html/html.ts';

/** A button that ends a deployment that waits or runs, wherever it is listed. */
export function cancelForm(
  { repository, rootName }: Pick<LaneSummary, 'repository' | 'rootName'>,
  { id }: Pick<DeploymentBrief, 'id'>,
  actor: Actor | undefined,
  toTop: string,
): Html | undefined {
  if (actor === undefined) return undefined;
  const lane = `${repository}/${rootName}`;
  return buttonForm(actor, toTop, { action: 'cancel', idSuffix: `-${id}`, parameters: { id }, lane });
}
