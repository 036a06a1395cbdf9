/**
 * The actors of a rolling restart: a person who merges, and two who confirm each plan exactly once, one on GitHub and one in any of
 * the consoles. A press is never repeated, so that a lost one shows. Somebody restarts every process in turn meanwhile.
 */
import type { CheckRun } from '@nereid/github-stand-in';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../random.ts';
import { LOCAL_PERSON } from '../../sample/people.ts';
import type { Stack } from '../../stack/stack.ts';
import type { ProcessName } from '../../stack/start-apps.ts';
import type { Actors, Press, Pushed } from './actors.ts';
import { confirmInConsole } from './confirm-in-console.ts';
import { STORM_NAME, type StormRepository } from './storm-repository.ts';

export interface OrderlyActors extends Actors {
  /** By whom each deployment's plan was confirmed. */
  readonly confirmedBy: ReadonlyMap<string, string>;
}

export interface OrderlyOptions {
  readonly stack: Stack;
  readonly repository: StormRepository;
  readonly random: Random;
  /** Restarted in this order. */
  readonly processes: readonly ProcessName[];
}

const ON_GITHUB = 'carol';

export function createOrderlyActors({ stack, repository, random, processes }: OrderlyOptions): OrderlyActors {
  const { github } = stack;
  const [pushed, pressed, disturbed]: [Pushed[], Press[], string[]] = [[], [], []];
  const confirmedBy = new Map<string, string>();
  const counts = new Map<string, number>();

  return {
    pushed,
    pressed,
    disturbed,
    confirmedBy,
    async push(count, overMs) {
      const startedAt = performance.now();
      while (pushed.length < count) {
        const rootName = random.pick(repository.rootNames as [string, ...string[]]); // There is more than one.
        const number = (counts.get(rootName) ?? 0) + 1;
        counts.set(rootName, number);
        const change = { rootName, number, kind: 'merge' } as const;
        const files = repository.filesOf(change, random.integer(2_000));
        const message = `${rootName} merge ${number}`;
        const commit = { repository: STORM_NAME, branch: 'main', files, message, author: 'bob' };
        pushed.push({ ...change, sha: await github.commit(commit) });
        await pause(Math.max(0, startedAt + (overMs * pushed.length) / count - performance.now()));
      }
    },
    async press(signal) {
      const inConsole: Promise<void>[] = [];
      while (!signal.aborted) {
        for (const run of github.checkRuns(STORM_NAME)) {
          const button = run.actions.find(({ label }) => label === 'Confirm');
          if (button === undefined || confirmedBy.has(run.externalId)) continue;
          pressed.push({ externalId: run.externalId, label: 'Confirm', identifier: button.identifier });
          if (random.chance(0.5)) inConsole.push(pressInConsole(run));
          else {
            confirmedBy.set(run.externalId, ON_GITHUB);
            github.pressButton(run.id, button.identifier, ON_GITHUB);
          }
        }
        await pause(200);
      }
      await Promise.all(inConsole);
    },
    async disturb(over) {
      do {
        for (const name of processes) {
          disturbed.push(name);
          await stack.restart(name);
        }
      } while (!over.aborted);
    },
  };

  async function pressInConsole({ externalId, name }: Readonly<CheckRun>): Promise<void> {
    confirmedBy.set(externalId, LOCAL_PERSON);
    const root = name.slice(name.lastIndexOf(' ') + 1);
    await confirmInConsole(stack.urls.consoles, { id: externalId, lane: `${STORM_NAME}/${root}` });
  }
}
