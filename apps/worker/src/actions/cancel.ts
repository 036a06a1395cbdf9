import type { Deployment } from '@nereid/domain/deployment';
import type { Sender } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import { cancelInLane } from '../lane/ask-lane.ts';
import { byOf } from '../person/permission.ts';
import type { ActionAnswer, ActionCall } from './action.ts';

/** `isStopping`: its apply had begun, which is asked to stop. Nothing of any other one will be applied. */
export type Cancelled = ActionAnswer<{ readonly isStopping: boolean }>;

/** Ends a deployment that waits or runs. */
export async function cancel(
  call: ActionCall,
  asker: Sender,
  { repository, deployment }: { readonly repository: Repository; readonly deployment: Deployment },
): Promise<Cancelled> {
  const { id, root } = deployment;
  const { delivery, askedAt } = call;
  const message = { version: 1, requestId: `${delivery}:${id}`, ...byOf(asker), askedAt } as const;
  const answer = await cancelInLane(call, repository, deployment, message);
  if (answer.kind === 'refused') return answer;
  const isStopping = answer.kind === 'stopping';
  const also = isStopping ? ': its apply has begun, and Terraform is asked to stop' : '';
  return { kind: 'done', sentence: `cancels ${root.name}${also}`, isStopping };
}
