/** A deployment that ended can be asked for again; a commit fixes one that failed. */
import { CHANGES } from '../sample/changes.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { expected } from './failure.ts';
import type { Place, Scene } from './scene.ts';
import type { Step } from './step.ts';

/** Terraform's words for the mistake. */
const MISTAKE = 'Reference to undeclared input variable';

export const reruns: readonly Step[] = [
  {
    title: 'Re-run all on the check suite queues the revision again for every root of it',
    async play(scene) {
      const sha = scene.revisionOf(CHANGES.grow);
      const again = (root: Place['root']) => otherThanNow(scene, { root, sha });
      const [network, database, service] = [again('network'), again('database'), again('service')];
      const suite = scene.github.checkSuites(SAMPLE_NAME).find(({ headSha }) => headSha === sha);
      if (!suite) throw expected(`a check suite of ${sha}`, 'none');
      await scene.github.rerequestCheckSuite(suite.id, 'alice');
      await Promise.all([unchanged(scene, network), unchanged(scene, service), scene.confirm(database, 'alice')]);
    },
  },
  {
    title: 'a plan that fails shows the lines of the error',
    async play(scene) {
      const sha = await scene.merge(CHANGES.breakNaming);
      await failedPlan(scene, { root: 'service', sha });
    },
  },
  {
    title: 'Re-run on a failed check run queues that revision again',
    async play(scene) {
      const at = { root: 'service', sha: scene.revisionOf(CHANGES.breakNaming) } as const;
      const failed = await failedPlan(scene, at);
      scene.github.rerequestCheckRun(failed.id, 'alice');
      await failedPlan(scene, { ...at, otherThan: failed.externalId });
    },
  },
  {
    title: 'a commit mends it: planned, confirmed, applied',
    async play(scene) {
      const sha = await scene.merge(CHANGES.mendNaming);
      await scene.confirm({ root: 'service', sha }, 'alice');
    },
  },
  {
    title: 'a merge that changes nothing ends without a review',
    async play(scene) {
      const sha = await scene.merge(CHANGES.comment);
      await unchanged(scene, { root: 'network', sha });
      const asked = scene.github.checkRuns(SAMPLE_NAME, sha).filter(({ actions }) => actions.length > 0);
      if (asked.length > 0) throw expected('no buttons', asked);
    },
  },
];

function otherThanNow(scene: Scene, at: Place): Place {
  const name = `nereid/deploy: ${at.root}`;
  const now = scene.github.checkRuns(SAMPLE_NAME, at.sha).find((run) => run.name === name);
  return { ...at, ...(now && { otherThan: now.externalId }) };
}

function unchanged(scene: Scene, at: Place) {
  return scene.seen(at, 'no changes', ({ conclusion, output }) => {
    return conclusion === 'success' && output.title === 'No changes';
  });
}

function failedPlan(scene: Scene, at: Place) {
  return scene.seen(at, `a failed plan with "${MISTAKE}"`, ({ conclusion, output }) => {
    return conclusion === 'failure' && `${output.summary ?? ''}${output.text ?? ''}`.includes(MISTAKE);
  });
}
