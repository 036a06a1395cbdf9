import TestRunner from 'jest-runner';

// A stack test starts every process, and Terraform, once per step of its story.
const HANGS_AFTER_MS = 120_000;

/** Runs the stack tests one after the other, as each takes all cores, and gives them more time than others have. */
export default class StackRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1, testTimeout: HANGS_AFTER_MS }, context);
  }
}
