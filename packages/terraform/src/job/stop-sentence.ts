import { capitalised } from '@nereid/domain/words';
import type { StopCause, StoppedBy } from '@nereid/subprocess';

const WHY: Readonly<Record<StopCause, string>> = {
  'timed-out': 'it ran out of time',
  cancelled: 'the deployment was cancelled',
  'host-shutting-down': 'its host was shutting down',
  'slot-needed': 'a deployment needed its slot',
  'output-limit': 'it printed more than a host can keep',
};

const HOW: Readonly<Record<StoppedBy, string>> = {
  'before-start': 'it had not begun',
  sigint: 'Terraform ended by itself and wrote its state',
  'second-sigint': 'it took a second interrupt to end it',
  sigkill: 'it did not end when it was interrupted, and was killed',
};

/** A command of the server's is no Terraform. */
const HOW_COMMANDS: typeof HOW = { ...HOW, sigint: 'it ended at an interrupt' };

export function sentenceOfStop(step: string, cause: StopCause, stoppedBy: StoppedBy): string {
  const how = step === 'run' || step === 'env' ? HOW_COMMANDS : HOW;
  return `${capitalised(step)} was stopped because ${WHY[cause]}; ${how[stoppedBy]}`;
}

/** For the host's own reading of a plan. */
export function sentenceOfStoppedReading(cause: StopCause): string {
  return `Reading the plan was stopped because ${WHY[cause]}`;
}
