/** Several people confirm a plan; a freeze and a stop hold work back, and say until when. */
import { CHANGES } from '../sample/changes.ts';
import { LOCAL_PERSON } from '../sample/people.ts';
import { FROZEN_ROOT, SAMPLE_NAME } from '../sample/repository.ts';
import { askConsole } from './ask-console.ts';
import type { Place } from './scene.ts';
import type { Step } from './step.ts';

const REASON = 'the registry is down';

/** The steps of the freeze build on each other, and so do those of the stop. */
export function gates(): readonly Step[] {
  let frozen: Place = { root: FROZEN_ROOT, sha: '' };
  let stopped: Place = { root: 'service', sha: '' };
  return [
    {
      title: 'a plan that two people have to confirm says who has, and waits for the other one',
      async play(scene) {
        frozen = { root: FROZEN_ROOT, sha: await scene.merge(CHANGES.archive) };
        scene.press(await scene.planned(frozen), 'Confirm', 'alice');
        await scene.seen(
          frozen,
          '1 of 2 confirmed',
          ({ output }) => output.title?.startsWith('1 of 2 confirmed') === true,
        );
      },
    },
    {
      title: 'a freeze keeps a plan that both have confirmed from being applied, and says until when',
      async play(scene) {
        const run = await scene.seen(frozen, 'a button Confirm', ({ actions }) => {
          return actions.some(({ label }) => label === 'Confirm');
        });
        scene.press(run, 'Confirm', 'bob');
        const { externalId } = await scene.seen(frozen, 'closed by the freeze', ({ output }) => {
          return /^Closed until .* UTC \(change freeze “Year end”\)/.test(output.title ?? '');
        });
        await askConsole(scene.stack, `deployments/${externalId}/cancel`, {});
        await scene.seen(frozen, 'cancelled, not applied', ({ conclusion }) => conclusion === 'cancelled');
      },
    },
    {
      title: 'a stop holds back what is merged meanwhile, with its reason',
      async play(scene) {
        await askConsole(scene.stack, `repositories/${SAMPLE_NAME}/stop`, {
          for: '1h',
          reason: REASON,
          directories: ['service'],
        });
        stopped = { root: 'service', sha: await scene.merge(CHANGES.shorterNames) };
        await scene.seen(stopped, 'stopped, with the reason', ({ output: { title, summary } }) => {
          const said = `${title ?? ''} ${summary ?? ''}`;
          return said.startsWith(`Stopped by ${LOCAL_PERSON} until`) && said.includes(REASON);
        });
      },
    },
    {
      title: 'a thaw lets it go on at once',
      async play(scene) {
        await askConsole(scene.stack, `repositories/${SAMPLE_NAME}/thaw`, {});
        await scene.confirm(stopped, 'alice');
      },
    },
  ];
}
