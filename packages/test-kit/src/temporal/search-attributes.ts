import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
import type { Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';

/** Enough for a server that is up; one that is starting is asked again. */
const CALL_TIMEOUT_MS = 1_000;

/** Temporal reads its namespaces again every two seconds; two loaded cores may take a minute. */
const KNOWN_MS = 120_000;
const PAUSE_MS = 50;

const ALL_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE)
  .map((name) => `${name} = ''`)
  .join(' AND ');

/** Waits until a namespace that was just made takes our search attributes: parts of Temporal learn of them after a while. */
export async function untilSearchable({ workflowService }: Connection, namespace: string): Promise<void> {
  const deadline = performance.now() + KNOWN_MS;
  for (;;) {
    try {
      await workflowService.countWorkflowExecutions({ namespace, query: ALL_ATTRIBUTES });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** Whether the namespace exists and knows all our search attributes. */
export async function hasSearchAttributes(connection: Connection, namespace: string): Promise<boolean> {
  const listed = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return Object.values(SEARCH_ATTRIBUTE).every((name) => name in listed.customAttributes);
}
