/** Asking a workflow how it stands, without disturbing it. */
import { setTimeout } from 'node:timers/promises';

/** What is needed of a workflow's handle. */
export interface Queryable {
  describe(): Promise<{ readonly raw: { readonly pendingWorkflowTask?: unknown } }>;
  query<T>(name: string): Promise<T>;
}

/** Workflow tasks take milliseconds, those with local activities a second or two. */
const LOOKS = 100;
const PAUSE_MS = 50;

/**
 * The answer to a query, asked while no task of the workflow is under way; throws when no such moment comes within five
 * seconds. A query that comes in the middle of a task with a local activity has the SDK (1.24) hand over the activity's
 * answer with the next task instead, together with what came meanwhile; a replay hands it over before, the workflow may
 * decide otherwise then, and is stuck. Throws what the handle throws.
 */
export async function queryAtRest<T>(handle: Queryable, name: string): Promise<T> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { raw } = await handle.describe();
    if (raw.pendingWorkflowTask === undefined || raw.pendingWorkflowTask === null) return await handle.query<T>(name);
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`expected a moment between two tasks of the workflow, found none in ${LOOKS} looks; ask again`);
}
