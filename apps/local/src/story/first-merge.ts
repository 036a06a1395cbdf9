/** A pull request is merged; its roots are planned, reviewed and applied. */
import { laneWorkflowId } from '@nereid/domain/lane';
import { isJobAuditEvent } from '@nereid/domain/trail';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHANGES } from '../sample/changes.ts';
import { SAMPLE, SAMPLE_NAME, type RootName } from '../sample/repository.ts';
import { eventually } from './eventually.ts';
import { expected } from './failure.ts';
import type { Place, Scene } from './scene.ts';
import type { Step } from './step.ts';

export const firstMerge: readonly Step[] = [
  {
    title: 'a merge that touches two roots and a module of a third is planned in three deployments',
    async play(scene) {
      const sha = await scene.merge(CHANGES.grow);
      const roots = ['network', 'database', 'service'] as const;
      await Promise.all(roots.map((root) => scene.planned({ root, sha })));
      const names = new Set(scene.github.checkRuns(SAMPLE_NAME, sha).map(({ name }) => name));
      await scene.seenRun('nereid/rollout', sha, 'three roots to review', ({ output }) => {
        return output.title === '3 roots: 3 to review';
      });
      names.delete('nereid/rollout');
      if (names.size !== roots.length) throw expected('check runs of three roots and of the rollout', [...names]);
      await Promise.all(roots.map((root) => assertLane(scene, root)));
    },
  },
  {
    title: 'a person who may only read cannot confirm, and everybody sees that',
    async play(scene) {
      const at = place(scene, 'network');
      scene.press(await scene.planned(at), 'Confirm', 'mallory');
      await scene.seen(at, 'a notice that names mallory', ({ output, conclusion }) => {
        return conclusion === 'action_required' && (output.summary ?? '').includes('mallory');
      });
      if (await isApplied(scene, 'network')) throw expected('nothing to be applied', 'a state of network');
    },
  },
  {
    title: 'Confirm applies the plan, and it is recorded and audited',
    async play(scene) {
      const at = place(scene, 'network');
      const { externalId } = await scene.confirm(at, 'alice');
      if (!(await isApplied(scene, 'network'))) throw expected('a state of network', 'none');
      await eventually('the record of the deployment', async () => {
        const keys = await scene.stack.storage.recordKeys();
        return keys.some((key) => key.includes('/network/') && key.endsWith(`-${externalId}.json`));
      });
      await eventually('the audit events RUNNING and SUCCESS, and those of both who pressed', async () => {
        const trail = await scene.stack.storage.auditTrail();
        const ours = trail.filter(({ deploymentId }) => deploymentId === externalId);
        // Each workflow stores its own events in order; events of different workflows may overtake each other.
        const [jobs, presses] = [ours.filter(isJobAuditEvent), ours.filter((event) => !isJobAuditEvent(event))];
        const said = presses.map((event) => `${event.state} ${event.initiatingUser}`).sort();
        return (
          said.join() === 'REFUSED mallory,REVIEWED alice' &&
          jobs.map(({ state }) => state).join() === 'RUNNING,SUCCESS'
        );
      });
    },
  },
  {
    title: 'Reject applies nothing and says who rejected',
    async play(scene) {
      const at = place(scene, 'database');
      scene.press(await scene.planned(at), 'Reject', 'bob');
      await scene.seen(at, 'rejected by bob', ({ conclusion, output }) => {
        return conclusion === 'cancelled' && output.title === 'Rejected by @bob';
      });
      if (await isApplied(scene, 'database')) throw expected('nothing to be applied', 'a state of database');
    },
  },
  {
    title: 'the root that uses the module is applied too',
    async play(scene) {
      await scene.confirm(place(scene, 'service'), 'alice');
    },
  },
];

function place(scene: Scene, root: RootName): Place {
  return { root, sha: scene.revisionOf(CHANGES.grow) };
}

async function assertLane(scene: Scene, root: RootName): Promise<void> {
  const id = laneWorkflowId(SAMPLE, root);
  if (!(await scene.workflows.isThere(id))) throw expected(`the workflow ${id}`, 'none with this id');
}

async function isApplied(scene: Scene, root: RootName): Promise<boolean> {
  const state = await readFile(path.join(scene.stack.folders.state, `${root}.tfstate`), 'utf8').catch(() => '');
  return state.includes('terraform_data');
}
