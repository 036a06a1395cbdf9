/**
 * The worker records no stack traces (apps/worker/src/platform/temporal/preload.ts), so the SDK answers Temporal's tab _Call Stack_ with an
 * empty text. This puts a sentence in its place.
 *
 * The SDK gives these two queries to no interceptor and lets nobody replace their handlers, so this wraps them where the SDK keeps
 * them. An SDK that keeps them elsewhere answers as it likes, which harms nobody; a test would tell.
 */
import { defaultPayloadConverter, RawValue } from '@temporalio/common';
import type { EnhancedStackTrace } from '@temporalio/workflow';

export const NO_STACK_TRACES =
  'Stack traces are off on this worker: recording them would be a sixth of its work. ' +
  'Current details and Pending activities of this workflow say what it waits for; its history has every step.';

interface QueryHandler {
  readonly handler: () => unknown;
}

/** Where the SDK keeps the state of the workflow that runs. */
const ACTIVATOR = '__TEMPORAL_ACTIVATOR__';

/** To be called for each workflow, before its first query. Traces that a worker did record are answered as they are. */
export function explainNoStackTraces(): void {
  const activator: unknown = Reflect.get(globalThis, ACTIVATOR);
  const handlers = (activator as { queryHandlers?: Map<string, QueryHandler> } | undefined)?.queryHandlers; // Of the SDK.
  if (!handlers) return;
  wrap(handlers, '__stack_trace', (traces) => (traces === '' ? NO_STACK_TRACES : traces));
  wrap(handlers, '__enhanced_stack_trace', (answer) => {
    const { stacks, ...rest } = answer as EnhancedStackTrace; // By the SDK's contract for this query.
    return { ...rest, stacks: stacks.length > 0 ? stacks : [SENTENCE] };
  });
}

const SENTENCE = { locations: [{ function_name: NO_STACK_TRACES, internal_code: false }] } as const;

function wrap(handlers: Map<string, QueryHandler>, query: string, explain: (answer: unknown) => unknown): void {
  const own = handlers.get(query);
  if (!own) return;
  handlers.set(query, { ...own, handler: () => new RawValue(explain(valueOf(own.handler()))) });
}

function valueOf(answer: unknown): unknown {
  return answer instanceof RawValue ? defaultPayloadConverter.fromPayload(answer.payload) : answer;
}
