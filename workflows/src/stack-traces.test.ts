import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { defaultPayloadConverter, RawValue } from '@temporalio/common';
import { explainNoStackTraces, NO_STACK_TRACES } from './stack-traces.ts';

const SDK = { name: 'typescript', version: '1.24.0' };
const RECORDED = { locations: [{ function_name: 'until', internal_code: false }] };

let handlers: Map<string, { readonly handler: () => unknown; readonly description: string }>;

/** As the SDK keeps them. */
beforeEach(() => {
  handlers = new Map();
  Reflect.set(globalThis, '__TEMPORAL_ACTIVATOR__', { queryHandlers: handlers });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, '__TEMPORAL_ACTIVATOR__');
});

test('where no stack traces are recorded, the tab Call Stack says so, and what else tells what a workflow waits for', () => {
  answers('__stack_trace', '');
  answers('__enhanced_stack_trace', { sdk: SDK, stacks: [], sources: {} });

  explainNoStackTraces();

  expect(ask('__stack_trace')).toBe(NO_STACK_TRACES);
  expect(ask('__enhanced_stack_trace')).toEqual({
    sdk: SDK,
    stacks: [{ locations: [{ function_name: NO_STACK_TRACES, internal_code: false }] }],
    sources: {},
  });
  expect(NO_STACK_TRACES).toMatch(/off on this worker: .* a sixth of its work/);
});

test('recorded stack traces are shown as they are', () => {
  answers('__stack_trace', 'at until');
  answers('__enhanced_stack_trace', { sdk: SDK, stacks: [RECORDED], sources: {} });

  explainNoStackTraces();

  expect(ask('__stack_trace')).toBe('at until');
  expect(ask('__enhanced_stack_trace')).toEqual({ sdk: SDK, stacks: [RECORDED], sources: {} });
});

test('an SDK that keeps its handlers elsewhere answers as it likes', () => {
  Reflect.set(globalThis, '__TEMPORAL_ACTIVATOR__', {});

  expect(explainNoStackTraces).not.toThrow();
});

function answers(query: string, answer: unknown): void {
  handlers.set(query, { handler: () => new RawValue(answer), description: '' });
}

function ask(query: string): unknown {
  const answer = handlers.get(query)?.handler();
  return answer instanceof RawValue ? defaultPayloadConverter.fromPayload(answer.payload) : undefined;
}
