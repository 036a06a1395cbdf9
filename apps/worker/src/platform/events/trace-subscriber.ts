/** Makes spans of what happens. Whatever a worker that was stopped knew of waits is lost: all else is known at the end. */
import type { DeploymentEnded, DeploymentWaits, StateEvent } from '@nereid/domain/events';
import type { NotificationLinks } from '@nereid/domain/notification';
import { LRUCache } from 'lru-cache';
import { deploymentSpans, waitSpan } from '../traces/deployment-spans.ts';
import { mergeSpans } from '../traces/merge-spans.ts';
import type { EndedSpan } from '../traces/span.ts';
import type { Subscriber } from './publish.ts';

export interface TraceTools {
  readonly send: (spans: readonly EndedSpan[]) => void;
  readonly pages: Pick<NotificationLinks, 'toDeployment'>;
  /** For tests, in epoch milliseconds. */
  readonly now?: () => number;
}

/** The waiting deployments of a large installation. */
const REMEMBERED = 20_000;

interface Begun {
  readonly wait: DeploymentWaits;
  readonly startMs: number;
}

export function createTraceSubscriber({ send, pages, now = Date.now }: TraceTools): Subscriber {
  const waits = new LRUCache<string, Begun>({ max: REMEMBERED });

  /** A wait is over when something else happens to its deployment. */
  function endedWait(event: StateEvent | DeploymentEnded): readonly EndedSpan[] {
    const { id } = event.deployment;
    const begun = waits.get(id);
    const isSame = begun !== undefined && event.kind === 'waits' && event.reason === begun.wait.reason;
    if (isSame) return [];
    waits.delete(id);
    const endMs = event.kind === 'ended' ? Date.parse(event.since) : now();
    if (event.kind === 'waits' && !IN_TIMES.has(event.reason)) waits.set(id, { wait: event, startMs: now() });
    return begun ? [waitSpan(begun.wait, { startMs: begun.startMs, endMs })] : [];
  }

  return (event) => {
    switch (event.kind) {
      case 'received':
        send(mergeSpans(event, now()));
        return;
      case 'queued':
      case 'waits':
      case 'planning':
      case 'applying':
        send(endedWait(event));
        return;
      case 'ended': {
        const { page } = pages.toDeployment(event.repository, event.deployment);
        send([...endedWait(event), ...deploymentSpans(event, page)]);
        return;
      }
      default:
    }
  };
}

/** A deployment knows at its end how long it waited for these. */
const IN_TIMES: ReadonlySet<DeploymentWaits['reason']> = new Set(['review', 'policy'] as const);
