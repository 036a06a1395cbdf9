import StackRunner from './stack-runner.js';

/** Runs one file after the other: they build images and start containers of the same names. */
export default class ProductionRunner extends StackRunner {
  constructor(globalConfig, context) {
    super(globalConfig, context, 1);
  }
}
