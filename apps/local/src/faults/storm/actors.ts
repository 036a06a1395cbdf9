/** The actors of the storm: a person who merges, people who press buttons, and a killer of processes. */
import type { CheckRun } from '@nereid/github-stand-in';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../../sample/people.ts';
import type { Stack } from '../../stack/stack.ts';
import type { Random } from '../../random.ts';
import { STORM_NAME, type Change, type StormRepository } from './storm-repository.ts';

export interface Pushed extends Change {
  readonly sha: string;
}

export interface Press {
  /** The deployment's id. */
  readonly externalId: string;
  /** `Confirm`, `Reject`, `Unlock` or `Re-run`. */
  readonly label: string;
  /** The button's identifier at that moment; undefined for `Re-run`. */
  readonly identifier: string | undefined;
}

export interface Actors {
  readonly pushed: readonly Pushed[];
  readonly pressed: readonly Press[];
  /** The processes that were killed or restarted, in order. */
  readonly disturbed: readonly string[];
  /** Makes merges and manual deployments, spread over the time. */
  push(count: number, overMs: number): Promise<void>;
  /** Presses buttons until the signal. `patiently`: a press without an effect is repeated, and nobody rejects. */
  press(signal: AbortSignal, patiently: boolean): Promise<void>;
  /** Kills or restarts processes until the storm is over. */
  disturb(over: AbortSignal): Promise<void>;
}

/** The chance that a push comes as a burst of ten. */
const BURSTS = 0.02;

const MANUAL = 0.1;

/** The chance that a merge is one of several roots, which go in waves. */
const SEVERAL = 0.2;

const SEVERAL_ROOTS = 3;

/** Reviewers answer as late as this, at random. */
const LATE_MS = 10_000;

/** A press without an answer for so long was lost, and is repeated; the next waits twice as long: the machine is busy. */
const PATIENCE_MS = 15_000;
const LONGEST_PATIENCE_MS = 120_000;

export interface ActorsOptions {
  readonly stack: Stack;
  readonly repository: StormRepository;
  readonly random: Random;
  /** Undefined when no process is to be killed. */
  readonly killEveryMs: number | undefined;
  readonly killMachine: () => Promise<void>;
  /** Whether nobody is to answer this review for the time being; default: everything is answered. */
  readonly leavesOpen?: (review: Readonly<CheckRun>) => boolean;
  /** Some merges are of several roots; default: each is of one. */
  readonly hasLargeMerges?: boolean;
}

export function createActors(options: ActorsOptions): Actors {
  const { stack, repository, random, killEveryMs, killMachine, leavesOpen = () => false } = options;
  const { hasLargeMerges = false } = options;
  const { github } = stack;
  const [pushed, pressed, disturbed]: [Pushed[], Press[], string[]] = [[], [], []];
  const counts = new Map<string, number>();
  /** By check run and label. */
  const nextPresses = new Map<string, { readonly dueAt: number; readonly patienceMs: number }>();
  /** When somebody reviews it, by check run. */
  const reviewedAt = new Map<number, number>();
  let proposals = 0;

  return {
    pushed,
    pressed,
    disturbed,
    async push(count, overMs) {
      const startedAt = performance.now();
      while (pushed.length < count) {
        const burst = Math.min(random.chance(BURSTS) ? 10 : 1, count - pushed.length);
        for (let index = 0; index < burst; index += 1) await (random.chance(MANUAL) ? propose() : merge());
        const dueAt = startedAt + (overMs * pushed.length) / count;
        await pause(Math.max(0, dueAt - performance.now()));
      }
    },
    async press(signal, patiently) {
      while (!signal.aborted) {
        const runs = newestRuns();
        const halting = new Set(patiently ? runs.flatMap(haltingOf) : []);
        for (const run of runs) look(run, patiently, halting);
        await pause(200);
      }
    },
    async disturb(over) {
      while (killEveryMs !== undefined && !over.aborted) {
        await pause(killEveryMs);
        const victim = random.pick(['worker', 'worker-2', 'gateway', 'temporal', 'machine'] as const);
        disturbed.push(victim);
        await (victim === 'machine' ? killMachine() : stack.kill(victim));
      }
    },
  };

  async function merge(): Promise<void> {
    const first = random.integer(repository.rootNames.length);
    const places = Array.from(
      { length: hasLargeMerges && random.chance(SEVERAL) ? SEVERAL_ROOTS : 1 },
      (_, index) => first + index,
    );
    const changes = places.map((place) => nextOf('merge', place));
    const files = changes.flatMap((change) => Object.entries(repository.filesOf(change, random.integer(400))));
    const message = changes.map(title).join(', ');
    const commit = { repository: STORM_NAME, branch: 'main', files: Object.fromEntries(files), message, author: 'bob' };
    const sha = await github.commit(commit);
    pushed.push(...changes.map((change) => ({ ...change, sha })));
  }

  /** Deploys a head before it is merged, on behalf of a person who may skip its requirements. */
  async function propose(): Promise<void> {
    const change = nextOf('manual', random.integer(repository.rootNames.length));
    proposals += 1;
    const branch = `proposal-${proposals}`;
    const files = repository.filesOf(change, random.integer(400));
    const sha = await github.commit({ repository: STORM_NAME, branch, files, message: title(change), author: 'bob' });
    const { number } = await github.openPullRequest({
      repository: STORM_NAME,
      title: title(change),
      head: branch,
      author: 'bob',
    });
    github.comment({ repository: STORM_NAME, number }, 'carol', `nereid apply ${change.rootName} -f`);
    pushed.push({ ...change, sha });
  }

  function nextOf(kind: Change['kind'], place: number): Change {
    const rootName = repository.rootNames[place % repository.rootNames.length] ?? '';
    const number = (counts.get(rootName) ?? 0) + 1;
    counts.set(rootName, number);
    return { rootName, number, kind };
  }

  function newestRuns(): readonly Readonly<CheckRun>[] {
    const newest = new Map<string, Readonly<CheckRun>>();
    for (const run of github.checkRuns(STORM_NAME)) {
      const place = placeOf(run);
      if (!newest.has(place)) newest.set(place, run);
    }
    return [...newest.values()];
  }

  function look(run: Readonly<CheckRun>, patiently: boolean, halting: ReadonlySet<string>): void {
    const label = halting.has(placeOf(run)) && run.status === 'completed' ? 'Re-run' : labelFor(run, patiently);
    const before = nextPresses.get(`${run.id} ${label}`);
    if (label === undefined || (before !== undefined && !(patiently && performance.now() > before.dueAt))) return;
    if (run.actions.some((action) => action.label === 'Confirm') && (leavesOpen(run) || isEarly(run))) return;
    const patienceMs = Math.min(2 * (before?.patienceMs ?? PATIENCE_MS / 2), LONGEST_PATIENCE_MS);
    nextPresses.set(`${run.id} ${label}`, { dueAt: performance.now() + patienceMs, patienceMs });
    const person: Person = random.pick(['alice', 'carol']);
    const button = run.actions.find((action) => action.label === label);
    pressed.push({ externalId: run.externalId, label, identifier: button?.identifier });
    if (label === 'Re-run') github.rerequestCheckRun(run.id, person);
    if (button !== undefined) github.pressButton(run.id, button.identifier, person);
    // Now and then somebody presses twice.
    if (button !== undefined && random.chance(0.1)) github.pressButton(run.id, button.identifier, 'bob');
  }

  function isEarly({ id }: Readonly<CheckRun>): boolean {
    const dueAt = reviewedAt.get(id) ?? performance.now() + random.integer(LATE_MS);
    reviewedAt.set(id, dueAt);
    return performance.now() < dueAt;
  }

  function labelFor(run: Readonly<CheckRun>, patiently: boolean): string | undefined {
    const labels = run.actions.map(({ label }) => label);
    if (labels.includes('Confirm')) return !patiently && random.chance(0.1) ? 'Reject' : 'Confirm';
    if (labels.includes('Unlock')) return patiently || random.chance(0.1) ? 'Unlock' : undefined;
    const isToTryAgain = run.conclusion === 'timed_out' || run.conclusion === 'failure';
    return !patiently && isToTryAgain && random.chance(0.02) ? 'Re-run' : undefined;
  }
}

function title({ rootName, kind, number }: Change): string {
  return `${rootName} ${kind} ${number}`;
}

function placeOf({ name, headSha }: Pick<CheckRun, 'name' | 'headSha'>): string {
  return `${name} ${headSha}`;
}

/** The place of the root that halts the merge of this one: once it is deployed, the others go on. */
function haltingOf({ output, headSha }: Readonly<CheckRun>): readonly string[] {
  const [, rootName] =
    /halted by wave \d+ of \d+ \([^)]*\): (\S+) /i.exec(`${output.title ?? ''} ${output.summary ?? ''}`) ?? [];
  return rootName === undefined ? [] : [placeOf({ name: `nereid/deploy: ${rootName}`, headSha })];
}
