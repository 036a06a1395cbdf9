/**
 * The boundaries between the steps of a deployment, where a process may die. They are read from the histories of a deployment
 * that went well, so that steps which are added later are included.
 */
import { deliveryWorkflowId } from '@nereid/domain/intake';
import { laneWorkflowId } from '@nereid/domain/lane';
import { textOf } from '@nereid/test-kit';
import type { Client } from '@temporalio/client';
import { SAMPLE, type RootName } from '../sample/repository.ts';
import type { Stack } from '../stack/stack.ts';
import { eventsOf, stepOf, type HistoryEvent } from './history-events.ts';

export interface Boundary {
  readonly workflow: 'intake' | 'deploy' | 'terraform';
  /** Such as `applyOnHost is scheduled`. */
  readonly step: string;
  /** Counted from 1, because the same step may come several times. */
  readonly occurrence: number;
}

export interface Boundaries {
  /** Returns the boundaries of a deployment that has ended. */
  list(root: RootName, sha: string): Promise<readonly Boundary[]>;
  /** Resolves when the deployment of the commit has reached the boundary; rejects when the signal aborts. */
  reached(boundary: Boundary, root: RootName, sha: string, signal: AbortSignal): Promise<void>;
}

export function createBoundaries(client: Client, stack: Stack): Boundaries {
  return {
    async list(root, sha) {
      const over = AbortSignal.timeout(LISTED_WITHIN_MS);
      const intake = await collectUntil(await intakeEvents(sha, over), (event) => isClosed(event));
      const terraform = await collectUntil(await terraformEvents(root, sha, over), (event) => isClosed(event));
      const lane = await client.workflow.getHandle(laneId(root)).fetchHistory();
      const deploy = afterArrival(lane.events ?? [], sha);
      return [
        ...boundariesOf('intake', intake),
        ...boundariesOf('deploy', deploy),
        ...boundariesOf('terraform', terraform),
      ];
    },
    async reached({ workflow, step, occurrence }, root, sha, signal) {
      const events =
        workflow === 'intake'
          ? await intakeEvents(sha, signal)
          : workflow === 'deploy'
            ? laneEvents(root, sha, signal)
            : await terraformEvents(root, sha, signal);
      let seen = 0;
      for await (const event of events) {
        if (stepOf(event) === step) seen += 1;
        if (seen === occurrence) return;
      }
      throw new Error(`expected ${step} ${occurrence} times, found ${seen}`);
    },
  };

  async function intakeEvents(sha: string, signal: AbortSignal): Promise<AsyncGenerator<HistoryEvent>> {
    const delivery = await stack.github.waitFor(
      () =>
        stack.github
          .deliveries()
          .find(({ event, payload }) => event === 'push' && payload.includes(`"after":"${sha}"`)),
      { what: `the webhook of ${sha}`, deadlineMs: LISTED_WITHIN_MS },
    );
    return eventsOf(client, deliveryWorkflowId(delivery.guid), signal);
  }

  async function* laneEvents(root: RootName, sha: string, signal: AbortSignal): AsyncGenerator<HistoryEvent> {
    let hasArrived = false;
    for await (const event of eventsOf(client, laneId(root), signal)) {
      hasArrived ||= brings(event, sha);
      if (hasArrived) yield event;
    }
  }

  async function terraformEvents(
    root: RootName,
    sha: string,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<HistoryEvent>> {
    for await (const event of laneEvents(root, sha, signal)) {
      const started = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId;
      if (started) return eventsOf(client, started, signal);
    }
    throw new Error(`expected the lane to start a deployment of ${sha}`);
  }
}

const LISTED_WITHIN_MS = 60_000;

function laneId(root: RootName): string {
  return laneWorkflowId(SAMPLE, root);
}

function boundariesOf(workflow: Boundary['workflow'], events: readonly HistoryEvent[]): readonly Boundary[] {
  const steps = events.map(stepOf).filter((step) => step !== undefined);
  return steps.map((step, index) => ({
    workflow,
    step,
    occurrence: steps.slice(0, index + 1).filter((other) => other === step).length,
  }));
}

function afterArrival(events: readonly HistoryEvent[], sha: string): readonly HistoryEvent[] {
  return events.slice(events.findIndex((event) => brings(event, sha)));
}

/** Recognises the signal by which intake brings the commit. */
function brings({ workflowExecutionSignaledEventAttributes: signal }: HistoryEvent, sha: string): boolean {
  return textOf(signal?.input?.payloads).includes(sha);
}

function isClosed(event: HistoryEvent): boolean {
  return Boolean(event.workflowExecutionCompletedEventAttributes ?? event.workflowExecutionFailedEventAttributes);
}

async function collectUntil(
  events: AsyncGenerator<HistoryEvent>,
  isLast: (event: HistoryEvent) => boolean,
): Promise<readonly HistoryEvent[]> {
  const taken: HistoryEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (isLast(event)) break;
  }
  return taken;
}
