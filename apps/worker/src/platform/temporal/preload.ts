/**
 * To be loaded before everything else (`node --import`), in the worker's threads too.
 *
 * - The SDK notes a stack trace of each promise that a workflow makes, with source maps, for the Temporal UI. That is a sixth of
 *   a worker's work, so it is off in threads.
 * - V8 lets a heap of 45 MB grow by only 20 MB before it marks all of it again: twice a second in a busy worker, and up to a
 *   sixth of its work. Here a heap may double. If it could triple, the worker would take another 50 MB.
 */
import { promiseHooks, setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const HEAP_GROWTH_PERCENT = 100;

const stop = (): void => undefined;

if (isMainThread) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
else promiseHooks.createHook = () => stop;
