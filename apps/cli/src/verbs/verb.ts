import type { VerbDescription } from '../arguments/verb-description.ts';
import type { Call } from '../call.ts';
import type { ExitCode } from '../exit-code.ts';

/** A word that follows `nereid`: what it takes, and what it does. */
export interface Verb extends VerbDescription {
  run(call: Call): Promise<ExitCode>;
}
