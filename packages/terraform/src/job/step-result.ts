import { defined } from '@nereid/domain/defined';
import type { Failure } from '@nereid/domain/host';
import type { CommandResult, StopCause, StoppedBy } from '@nereid/subprocess';
import { StepNotStartedError } from '../errors.ts';
import { failureFrom, failureOf } from '../failure/failure.ts';
import type { StepName } from './job-options.ts';
import type { OutputReader } from './output/output-reader.ts';
import { acceptedExitCodes } from './step-command.ts';
import { sentenceOfStop } from './stop-sentence.ts';

export type StepResult =
  | { readonly kind: 'succeeded'; readonly exitCode: number; readonly output: OutputReader }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'stopped';
      readonly failure: Failure;
      readonly cause: StopCause;
      readonly stoppedBy: StoppedBy;
      readonly exitCode?: number;
    }
  /** Killed by a signal that we did not send, or gone without a trace. */
  | { readonly kind: 'killed'; readonly failure: Failure };

/** The result that the end of a step's command means. */
export function stepResult(step: StepName, result: CommandResult, output: OutputReader): StepResult {
  const failed = (sentence: string) => failureFrom(output.tail(), sentence);
  switch (result.kind) {
    case 'exited':
      return acceptedExitCodes(step).includes(result.exitCode)
        ? { kind: 'succeeded', exitCode: result.exitCode, output }
        : { kind: 'failed', failure: failed(`${step} ended with exit code ${result.exitCode}`) };
    case 'stopped':
      return stoppedResult(step, result, output);
    case 'killed':
      return { kind: 'killed', failure: failed(`${step} was killed by ${result.signal}`) };
    case 'lost':
      return { kind: 'killed', failure: failed(`${step} was killed: it is gone and left no exit code`) };
    case 'could-not-start':
      throw new StepNotStartedError(step, result.why);
  }
}

function stoppedResult(
  step: StepName,
  { cause, stoppedBy, exitCode }: Extract<CommandResult, { kind: 'stopped' }>,
  output: OutputReader,
): StepResult {
  // An apply that ended before the signal came has applied everything.
  if (step === 'apply' && exitCode === 0) return { kind: 'succeeded', exitCode, output };
  const { lines } = failureFrom(output.tail(), '');
  const failure = { ...failureOf(sentenceOfStop(step, cause, stoppedBy)), lines };
  return { kind: 'stopped', failure, cause, stoppedBy, ...defined({ exitCode }) };
}
