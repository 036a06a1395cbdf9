/** One root of a merge goes first. It fails, which halts the others, until a merged fix passes the check of the wave. */
import { CHANGES } from '../sample/changes.ts';
import type { Place, Scene } from './scene.ts';
import type { Step } from './step.ts';

const FIRST = 'edge-1';

const OTHERS = ['edge-2', 'edge-3'] as const;

export const waves: readonly Step[] = [
  {
    title: 'a merge of three roots goes in waves: the first root fails, and that halts the others',
    async play(scene) {
      const sha = await scene.merge(CHANGES.edges);
      await scene.seen({ root: FIRST, sha }, 'a failed apply, with its error', ({ conclusion, output }) => {
        return conclusion === 'failure' && `${output.summary ?? ''}${output.text ?? ''}`.includes('no answer on port');
      });
      for (const root of OTHERS) await halted(scene, { root, sha });
      await scene.seenRun('nereid/rollout', sha, 'halted', ({ output }) =>
        /^3 roots: .*, halted$/.test(output.title ?? ''),
      );
    },
  },
  {
    title: 'a merged fix of the first root lets the others go on by themselves, once a check of it has passed',
    async play(scene) {
      await scene.applied({ root: FIRST, sha: await scene.merge(CHANGES.mendEdge) });
      const sha = scene.revisionOf(CHANGES.edges);
      await Promise.all(OTHERS.map((root) => scene.applied({ root, sha })));
    },
  },
];

function halted(scene: Scene, at: Place) {
  return scene.seen(at, 'halted, and by what', ({ status, output: { title, summary } }) => {
    const isSaid = /halted by wave 1 of 2 \(canary\): edge-1 failed to apply/i.test(`${title ?? ''} ${summary ?? ''}`);
    return status !== 'completed' && isSaid;
  });
}
