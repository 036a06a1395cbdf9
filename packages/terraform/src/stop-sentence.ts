import type { StopCause, StoppedBy } from '@nereid/subprocess';

const WHY: Readonly<Record<StopCause, string>> = {
  'timed-out': 'its time was over',
  cancelled: 'it was cancelled',
  'host-shutting-down': 'its host was shutting down',
  'output-limit': 'it printed more than a host can keep',
};

const HOW: Readonly<Record<StoppedBy, string>> = {
  'before-start': 'before it began',
  sigint: 'and ended by itself',
  'second-sigint': 'by a second interrupt, because it did not end after the first',
  sigkill: 'by force, because it did not end after two interrupts',
};

export function sentenceOfStop(step: string, cause: StopCause, stoppedBy: StoppedBy): string {
  return `${step} was stopped because ${WHY[cause]}, ${HOW[stoppedBy]}`;
}
