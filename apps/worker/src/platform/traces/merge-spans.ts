/** The spans of what intake makes of a push: the webhook on its way, and the look for what it deploys. */
import type { EventReceived } from '@nereid/domain/events';
import { traceIdOf } from '@nereid/process';
import { revisionAttributes } from './attributes.ts';
import { MERGE, type EndedSpan } from './span.ts';

/** None of what deploys nothing. `nowMs` in epoch milliseconds: intake is done. */
export function mergeSpans(
  { event, receivedAt, delivery, result }: EventReceived,
  nowMs: number,
): readonly EndedSpan[] {
  if (event.kind !== 'push' || result.kind !== 'signalled') return [];
  const { repository, branch, after: sha, pushedAt } = event;
  const traceId = traceIdOf(repository, sha);
  const receivedMs = Math.min(Date.parse(receivedAt), nowMs);
  // By the forge's clock, to the second.
  const pushedMs = Math.min(pushedAt === undefined ? receivedMs : Date.parse(pushedAt), receivedMs);
  const attributes = { ...revisionAttributes(repository, { sha, branch }), 'cicd.pipeline.run.id': delivery };
  const about = { traceId, attributes };
  return [
    { ...about, subject: MERGE, startMs: pushedMs, endMs: nowMs },
    { ...about, subject: { name: 'webhook' }, parent: MERGE, startMs: pushedMs, endMs: receivedMs },
    { ...about, subject: { name: 'intake' }, parent: MERGE, startMs: receivedMs, endMs: nowMs },
  ];
}
