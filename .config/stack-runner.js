import TestRunner from 'jest-runner';

// A stack test starts every process, and Terraform for each step of its story: half a minute alone, minutes beside others.
const HANGS_AFTER_MS = 600_000;

/** Runs the stack tests one after the other, because each takes all cores, and gives them more time than other tests. */
export default class StackRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1, testTimeout: HANGS_AFTER_MS }, context);
  }
}
