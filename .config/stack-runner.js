import TestRunner from 'jest-runner';

// A stack test starts every process, and Terraform, once per step of its story: half a minute, or minutes beside others.
const HANGS_AFTER_MS = 600_000;

/** Runs the stack tests one after the other, as each takes all cores, and gives them more time than others have. */
export default class StackRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1, testTimeout: HANGS_AFTER_MS }, context);
  }
}
