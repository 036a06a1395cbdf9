/** Re-runs several roots of one revision together. A root that may not be re-run says so on its own check run. */
import type { IntakeResult, PressedCheckRun } from '@nereid/domain/intake';
import { onCheckRun } from '../check-run/refuse-on-check-run.ts';
import type { IntakeCall } from '../intake-call.ts';
import { nothing, refused, signalled } from '../results.ts';
import { deployReruns, judgeRerun, type ReadyRerun, type RerunRequest } from './rerun.ts';

export async function rerunRoots(
  call: IntakeCall,
  request: RerunRequest,
  deployments: readonly PressedCheckRun[],
): Promise<IntakeResult> {
  const { repository } = request;
  const results: IntakeResult[] = [];
  const ready: ReadyRerun[] = [];
  // One after the other: each may ask the forge several things, and nobody waits for the last one.
  for (const checkRun of deployments) {
    const result = await onCheckRun(call, repository, checkRun, async () => {
      const judged = await judgeRerun(call, request, checkRun);
      if (judged.kind !== 'ready') return judged;
      ready.push(judged);
      return READY;
    });
    if (result !== READY) results.push(result);
  }
  const [first] = ready;
  if (first) {
    const deployed = async () => inOne(await deployReruns(call, request, ready), ready.length);
    results.unshift(await onCheckRun(call, repository, first.checkRun, deployed));
  }
  return inOne(results, deployments.length);
}

const READY = nothing('it is deployed with the others');

function inOne(results: readonly IntakeResult[], all: number): IntakeResult {
  const workflows = results.flatMap((result) => result.workflows);
  const no = results.find(({ kind }) => kind === 'refused');
  const why = no ? `; the first refusal: ${no.sentence}` : '';
  const sentence = `${workflows.length} of ${all} roots are re-run${why}`;
  return workflows.length > 0 ? signalled(sentence, workflows) : refused(sentence);
}
