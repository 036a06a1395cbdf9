import type { Failure } from '@nereid/domain/host';
import { withHint } from './hint.ts';

/** Of Terraform, then of git. A line may break between any two words. */
const REFUSED =
  /module.*(?:could not read (?:Username|Password)|repository \S* not found|Authentication failed|returned error: 40[134])/i;

/** Says which setting is missing where an init was refused a module of this GitHub. */
export function withModulesHint(failure: Failure, gitUrl: string): Failure {
  const { summary, lines } = failure;
  const said = [summary, ...lines].join(' ').replaceAll(/\s+/g, ' ');
  if (!REFUSED.test(said) || !said.replaceAll(' ', '').includes(new URL(gitUrl).host)) return failure;
  const hint =
    "If the module is in a private repository of the same owner, an operator has to name it under modules_from in the server's file.";
  return withHint(failure, hint);
}
