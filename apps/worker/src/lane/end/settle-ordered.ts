/** Settles a lane with those of its ended deployments that intake ordered, as far as what they say is proven. */
import type { DeploymentRecord } from '@nereid/domain/deployment';
import type { Settled, Settlement } from '@nereid/domain/lane';
import type { WorkerContext } from '../../platform/context.ts';
import { settleLane } from '../record/settle-lane.ts';
import { withProvenRecord } from '../show/proven/proven-words.ts';
import { withoutForgedPlan } from '../show/proven/without-forged-plan.ts';
import { onlyOrdered } from '../verify-orders.ts';

export interface SettledWith {
  readonly settled: Settled;
  /** The ends that are stored. */
  readonly ended: readonly DeploymentRecord[];
}

export async function settleOrdered(context: WorkerContext, settlement: Settlement): Promise<SettledWith> {
  const said = await Promise.all(settlement.ended.map((one) => withoutForgedPlan(context, one)));
  const ordered = await onlyOrdered(context, settlement.record.repository, said);
  const ended = await Promise.all(ordered.map((one) => withProvenRecord(context, one)));
  return { settled: await settleLane(context, { ...settlement, ended }), ended };
}
