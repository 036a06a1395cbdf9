import type { LaneName } from '@nereid/domain/console';
import { shortSha, type Deployment } from '@nereid/domain/deployment';
import { type LaneView, describeLock } from '@nereid/domain/lane';

/** Only the first ones of a longer queue are listed. */
const LISTED = 20;

/** A lane in lines of text. Pure. */
export function describeView({ owner, name, rootName }: LaneName, view: LaneView): string {
  const { running, waiting, lock, latest, waitsFor } = view;
  return [
    `${owner}/${name}/${rootName}`,
    lock ? `locked by ${describeLock(lock)}, since ${lock.at}` : 'not locked',
    running ? `runs: ${describe(running)}` : 'nothing runs',
    ...(waitsFor === undefined ? [] : [`waits: ${waitsFor}`]),
    waiting.length === 0 ? 'nothing waits' : `${waiting.length} waiting:`,
    ...waiting.slice(0, LISTED).map((one) => `  ${describe(one)}`),
    latest ? `deployed: ${shortSha(latest.revision)} (${latest.status}, ${latest.at})` : 'never deployed',
  ].join('\n');
}

function describe({ id, revision, trigger, requestedBy, progress: { status, reason } }: Deployment): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${id} ${shortSha(revision.sha)} ${trigger} by @${requestedBy}, ${status}${why}`;
}
