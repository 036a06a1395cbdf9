/** A host asks control something, through a short workflow. */
import type { Question } from '@nereid/domain/activities';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { whenAborted } from '../when-aborted.ts';

export interface Asking {
  readonly temporal: Pick<Client, 'workflow'>;
  readonly workflowId: string;
  readonly question: Question;
  readonly signal: AbortSignal | undefined;
  /** Default: a minute. */
  readonly patienceMs?: number | undefined;
  /** The error that says what came instead of an answer. */
  readonly unanswered: (found: string, options: ErrorOptions) => Error;
}

/** Longer than control tries: a host that is told why gets a better answer than one that gives up. */
const PATIENCE_MS = 60_000;

/** Returns what the workflow returns. It ends by itself when nobody waits for it any more. Throws what control refuses for good. */
export async function askWorkflow(asking: Asking): Promise<unknown> {
  const { temporal, workflowId, question, signal, patienceMs = PATIENCE_MS, unanswered } = asking;
  const limit = AbortSignal.timeout(patienceMs);
  try {
    const answer = temporal.workflow.execute(WORKFLOW.ask, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      workflowExecutionTimeout: patienceMs,
      args: [question],
    });
    return await Promise.race([answer, whenAborted(signal ? AbortSignal.any([signal, limit]) : limit)]);
  } catch (error) {
    signal?.throwIfAborted();
    const why = failureIn(error);
    if (why?.nonRetryable === true) throw why;
    const found = limit.aborted ? `no answer within ${patienceMs / 1_000} s` : (why?.message ?? 'no answer in time');
    throw unanswered(found, { cause: error });
  }
}

/** The failure of control's activity, which other failures wrap. */
function failureIn(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof Error ? failureIn(error.cause) : undefined;
}
