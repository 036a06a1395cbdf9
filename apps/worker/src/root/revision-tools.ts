import type { WorkerContext } from '../platform/context.ts';

/** The means of an activity that looks at revisions and sends them to lanes. */
export interface RevisionTools {
  readonly context: WorkerContext;
  /** Aborted when the activity is cancelled or the worker stops. */
  readonly signal: AbortSignal;
}
