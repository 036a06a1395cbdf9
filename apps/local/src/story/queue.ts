/** One deployment at a time in each lane; a manual deployment goes first, and locks the lane. */
import { CHANGES } from '../sample/changes.ts';
import { SAMPLE_NAME } from '../sample/repository.ts';
import { expected } from './failure.ts';
import type { Place, Scene } from './scene.ts';
import type { Step } from './step.ts';

export const queue: readonly Step[] = [
  {
    title: 'the second of two merges in a row waits, says so, and then runs',
    async play(scene) {
      const first = { root: 'database', sha: await scene.merge(CHANGES.replica) } as const;
      await scene.planned(first);
      const second = { root: 'database', sha: await scene.merge(CHANGES.backup) } as const;
      await scene.seen(second, 'queued, 1 ahead', ({ status, output }) => {
        return status === 'queued' && output.title === 'Queued, 1 ahead';
      });
      await scene.confirm(first, 'alice');
      await scene.confirm(second, 'alice');
    },
  },
];

/** The steps of one lane, which build on each other. */
export function manualDeployments(): readonly Step[] {
  let www = { number: 0, sha: '' };
  let shop = { number: 0, sha: '' };
  let merged = '';
  return [
    {
      title: 'a deployment by hand asks for a review although its root says auto',
      async play(scene) {
        www = await scene.proposeApproved(CHANGES.www);
        comment(scene, www.number, 'nereid apply');
        await scene.planned(dns(www.sha));
      },
    },
    {
      title: 'a merge in the meantime waits for the lock',
      async play(scene) {
        merged = await scene.mergePullRequest(www.number);
        await locked(scene, merged, www.sha);
      },
    },
    {
      title: 'another deployment by hand goes before it',
      async play(scene) {
        shop = await scene.proposeApproved(CHANGES.shop);
        comment(scene, shop.number, 'nereid apply dns');
        await scene.seen(dns(shop.sha), 'queued', ({ output }) => output.title?.startsWith('Queued') === true);
        await scene.confirm(dns(www.sha), 'alice');
        await scene.confirm(dns(shop.sha), 'alice');
        await locked(scene, merged, shop.sha);
      },
    },
    {
      title: 'the next merge shows who locked the lane, Unlock lets it run, without a review',
      async play(scene) {
        const { files, title, author } = CHANGES.mail;
        await scene.github.commit({
          repository: SAMPLE_NAME,
          branch: CHANGES.shop.branch,
          files,
          message: title,
          author,
        });
        const sha = await scene.mergePullRequest(shop.number);
        scene.press(await locked(scene, sha, shop.sha), 'Unlock', 'alice');
        const { externalId } = await scene.applied(dns(sha));
        await scene.seen(dns(merged), 'skipped: already contained', ({ conclusion }) => conclusion === 'neutral');
        const runs = scene.github.checkRuns(SAMPLE_NAME, sha).filter((run) => run.externalId === externalId);
        const asked = runs.flatMap(({ actions }) => actions).filter(({ label }) => label === 'Confirm');
        if (asked.length > 0) throw expected('no review of a merge to a root with plan_review: auto', asked);
      },
    },
  ];
}

function dns(sha: string): Place {
  return { root: 'dns', sha };
}

function comment(scene: Scene, number: number, text: string): void {
  scene.github.comment({ repository: SAMPLE_NAME, number }, 'alice', text);
}

/** Waits until the check run says that a manual deployment of alice's locks the lane. */
function locked(scene: Scene, sha: string, by: string) {
  const lock = `Locked by a manual deployment of ${by.slice(0, 7)} by @alice`;
  return scene.seen(dns(sha), `"${lock}", with a button Unlock`, ({ output, actions }) => {
    return (output.title ?? '').includes(lock) && actions.some(({ label }) => label === 'Unlock');
  });
}
