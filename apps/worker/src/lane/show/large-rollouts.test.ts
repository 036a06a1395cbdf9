/** How often the check runs of single roots are written in a merge of many: `nereid/rollout` shows them otherwise. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckRunRef, DeploymentStatus, Presentation } from '@nereid/domain/deployment';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import type { CheckRunContent } from '@nereid/forge';
import { githubPages } from '@nereid/github-pages';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { beginContext } from '../../gates/testing/begin-context.ts';
import { createCheckRunWrites } from '../../platform/memory/check-run-writes.ts';
import { publishToNobody } from '../../testing/publish-to.ts';
import { showCheckRuns } from './show-check-runs.ts';

const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const ROOTS = 200;

let titles: string[];
let context: WorkerContext;

beforeEach(() => {
  titles = [];
  context = {
    forge: {
      name: 'GitHub',
      buttons: {},
      pages: githubPages('https://github.example'),
      repositories: { isPublic: () => Promise.resolve(true) },
      status: {
        present: (_repository: unknown, refs: readonly CheckRunRef[], { title, status }: CheckRunContent) => {
          titles.push(title);
          return Promise.resolve([{ id: refs[0]?.id ?? titles.length, completed: status === 'completed' }]);
        },
      },
    },
    checkRunWrites: createCheckRunWrites(),
    publish: publishToNobody,
    server: beginContext().server,
    config: { links: { consoleUrl: 'https://console.example' }, temporal: { namespace: 'default' } },
    logger: pino({ level: 'silent' }),
  } as unknown as WorkerContext; // What it asks for.
});

const together = { rollout: 'sha/one', isLarge: true } as const;

/** Shows it as it goes from state to state, each with the check runs of the one before. */
async function show(id: string, states: readonly (Partial<Presentation> & Pick<Presentation, 'deployment'>)[]) {
  let checkRuns: readonly CheckRunRef[] = [];
  for (const { deployment, ...more } of states) {
    const presentation = { deployment: { ...deployment, id, together, checkRuns }, ...more };
    const time = { startToCloseMs: 60_000, signal: new AbortController().signal };
    const [shown] = await showCheckRuns(context, REPOSITORY, [presentation], time);
    if (shown?.kind !== 'shown') throw new Error(`expected that it is shown, found ${JSON.stringify(shown)}`);
    checkRuns = shown.checkRuns;
  }
}

const as = (status: DeploymentStatus) => ({ deployment: aDeployment({ status, plan: aPlan() }) });

const UNASKED = ['queued', 'preparing', 'planning', 'applying', 'succeeded'] as const;
const ASKED = ['queued', 'planning', 'awaiting-review', 'applying', 'succeeded'] as const;

describe('in a merge of many roots, the check run of a single one', () => {
  test('is written once where nobody has to confirm', async () => {
    for (let n = 0; n < ROOTS; n += 1) await show(`id-${n}`, UNASKED.map(as));

    expect(titles).toHaveLength(ROOTS);
  });

  test('is written twice where a person has to', async () => {
    for (let n = 0; n < ROOTS; n += 1) await show(`id-${n}`, ASKED.map(as));

    expect(titles).toHaveLength(2 * ROOTS);
  });

  test.each<[string, Partial<Presentation>]>([
    ['somebody has to lift a lock', { lock: aLock() }],
    ['there is something to say to a person', { notice: 'GitHub cannot be asked who may press' }],
  ])('is written at once where %s', async (_where, more) => {
    await show('one', [{ ...as('queued'), ...more }]);

    expect(titles).toHaveLength(1);
  });
});
