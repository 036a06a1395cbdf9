import type { Failure } from '@nereid/domain/host';
import { commandThatFails } from '../../fleet/root-files.ts';
import type { Fate } from './fate.ts';

/** Terraform's words about a deployment that fails so; `message` is what the failing command printed. */
export function failureOf(fate: Fate, rootName: string, message?: string): Failure {
  if (fate === 'plan-failed') {
    const summary = 'Error: Failed to load the state';
    return { summary, lines: [summary, '', 'The storage of the state did not answer within 30 s: 503 Slow Down'] };
  }
  const summary = 'Error: local-exec provisioner error';
  const command = message === undefined ? `./wait-until-healthy.sh ${rootName}` : commandThatFails(message);
  const output = message ?? `${rootName} is not healthy after 300 s.`;
  return { summary, lines: [summary, '', `Error running command "${command}": exit status 1.`, `Output: ${output}`] };
}
