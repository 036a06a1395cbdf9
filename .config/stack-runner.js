import TestRunner from 'jest-runner';
import { availableParallelism } from 'node:os';

// A stack test starts every process, and Terraform for each step of its story: half a minute alone, minutes beside others.
const HANGS_AFTER_MS = 600_000;

/** A stack takes one core, and a gigabyte and a half. */
const STACKS_AT_ONCE = Math.min(4, availableParallelism());

/** Runs tests of a whole stack, with more time than others. */
export default class StackRunner extends TestRunner {
  constructor(globalConfig, context, { atOnce = STACKS_AT_ONCE } = {}) {
    const maxWorkers = Math.min(globalConfig.maxWorkers, atOnce);
    super({ ...globalConfig, maxWorkers, testTimeout: HANGS_AFTER_MS }, context);
  }
}
