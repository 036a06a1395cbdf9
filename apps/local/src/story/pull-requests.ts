/** A pull request is planned, is out of date for a while, and is confirmed before its merge. */
import { isJobAuditEvent } from '@nereid/domain/trail';
import { CHANGES, propose } from '../sample/changes.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { eventually } from './eventually.ts';
import { expected } from './failure.ts';
import type { Scene } from './scene.ts';
import type { Step } from './step.ts';

const PLAN = 'nereid/plan: network';

/** The steps of one pull request, which build on each other. */
export function pullRequests(): readonly Step[] {
  let gateway = { number: 0, sha: '' };
  let peering = '';
  return [
    {
      title: 'a pull request shows what its merge would change',
      async play(scene) {
        const number = await propose(scene.github, CHANGES.gateway);
        gateway = { number, sha: scene.github.pullRequest({ repository: SAMPLE_NAME, number }).headSha };
        await scene.seenRun('nereid/plan', gateway.sha, 'a plan that adds one', ({ conclusion, output }) => {
          return (
            conclusion === 'success' && output.title === 'Plan: 1 to add, 0 to change, 0 to destroy, in 1 of 1 root'
          );
        });
      },
    },
    {
      title: 'another merge makes that plan out of date, which it says',
      async play(scene) {
        peering = await scene.merge(CHANGES.peering);
        const title = `Out of date: ${peering.slice(0, 7)} was merged, planned again after its deployment`;
        await scene.seenRun('nereid/plan', gateway.sha, title, ({ output }) => output.title === title);
      },
    },
    {
      title: 'once that is deployed, the pull request is planned again',
      async play(scene) {
        await scene.confirm({ root: 'network', sha: peering }, 'alice');
        const base = `merged with \`main\` at \`${peering.slice(0, 7)}\``;
        await scene.seenRun(PLAN, gateway.sha, base, (run) => isConfirmable(run) && said(run).includes(base));
      },
    },
    {
      title: 'a person confirms that plan for the merge',
      async play(scene) {
        const run = await scene.seenRun(PLAN, gateway.sha, 'a plan to confirm', isConfirmable);
        scene.press(run, 'Confirm for merge', 'alice');
        await scene.seenRun(PLAN, gateway.sha, 'confirmed for the merge', ({ output }) => {
          return output.title?.startsWith('Confirmed for merge by @alice: ') === true;
        });
      },
    },
    {
      title: 'its merge is applied at once: exactly that plan, without another question',
      async play(scene) {
        const sha = await scene.mergePullRequest(gateway.number);
        await scene.applied({ root: 'network', sha });
        const asked = scene.github.checkRuns(SAMPLE_NAME, sha).flatMap(({ actions }) => actions);
        if (asked.length > 0) throw expected('nobody to be asked', asked);
        await eventually('the audit event of that apply, with the answer from before the merge', () =>
          isAudited(scene, sha),
        );
      },
    },
  ];
}

type Run = Awaited<ReturnType<Scene['seenRun']>>;

function isConfirmable({ actions }: Run): boolean {
  return actions.some(({ label }) => label === 'Confirm for merge');
}

function said({ output }: Run): string {
  return output.summary ?? '';
}

async function isAudited({ stack }: Scene, sha: string): Promise<boolean> {
  const events = (await stack.storage.auditTrail()).filter(isJobAuditEvent);
  return events.some(
    ({ revision, state, approvedBy, approvedBeforeMerge }) =>
      revision === sha && state === 'SUCCESS' && approvedBy === 'alice' && approvedBeforeMerge === true,
  );
}
