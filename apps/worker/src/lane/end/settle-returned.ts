/** Settles a lane to which a terraform workflow returned its end, and told nobody else. */
import { defined } from '@nereid/domain/defined';
import type { Ending } from '@nereid/domain/deployment-actor';
import { recordWith, type Settled, type Settlement } from '@nereid/domain/lane';
import type { WorkerContext } from '../../platform/context.ts';
import { undefinedIfForged } from '../../platform/keys/signatures.ts';
import { storeLane } from '../record/lane-record.ts';
import { provenRecord } from '../record/proven-record.ts';
import { within, type NumberedAttempt } from '../show/show-check-runs.ts';
import { proveEnding } from './prove-ending.ts';
import type { SettledWith } from './settle-ordered.ts';
import { showAndStore } from './show-and-store.ts';

export async function settleReturned(
  context: WorkerContext,
  settlement: Settlement,
  attempt: NumberedAttempt,
): Promise<SettledWith> {
  const ending = await undefinedIfForged(proveEnding(context, endingOf(settlement)));
  if (ending === undefined) return { settled: { kind: 'forged' }, ended: [] };
  const settled = await endInLane(context, ending, settlement, attempt);
  return { settled, ended: settled.kind === 'unsettled' ? [] : [ending.record] };
}

function endingOf({ ended: [record], audits, returned }: Settlement): Ending {
  if (record === undefined) throw new Error('expected the end that was returned, found none');
  const { deployment: _same, ...show } = returned?.show ?? {};
  return { record, audits, deletesPlan: false, ...(returned?.show && { show }) };
}

/** Until the lane's record is stored, another run of the lane finds the end where it was returned. */
export async function endInLane(
  context: WorkerContext,
  ending: Ending,
  { record, ifVersion, returned }: Pick<Settlement, 'record' | 'ifVersion' | 'returned'>,
  attempt: NumberedAttempt,
): Promise<Settled> {
  const forForge = { ...attempt, ...within(returned?.withinMs ?? 0, attempt.signal) };
  const { shown, isStored } = await showAndStore(context, ending, forForge, attempt);
  if (!isStored) return { kind: 'unsettled', ...defined({ shown }) };
  const { id } = ending.record.deployment;
  const proven = await provenRecord(context, recordWith(record, id, { shown }));
  return { ...(await storeLane(context.laneRecords, proven, ifVersion)), ...defined({ shown }) };
}
