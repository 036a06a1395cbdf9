/** The actions of the story's people on GitHub, and their view of it. A wait that passes its deadline shows all check runs. */
import type { CheckRun, GitHubStandIn } from '@nereid/github-stand-in';
import { propose, type Change } from '../sample/changes.ts';
import type { Person } from '../sample/people.ts';
import { SAMPLE_NAME, type SampleRoot } from '../sample/repository.ts';
import type { Stack } from '../stack/stack.ts';
import { expected } from './failure.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import type { Workflows } from './workflows.ts';

export interface Scene {
  readonly stack: Stack;
  readonly github: GitHubStandIn;
  readonly stopwatch: Stopwatch;
  readonly workflows: Workflows;
  /** Proposes the change and merges it. Returns the merge's revision. */
  merge(change: Change): Promise<string>;
  /** The revision at which an earlier step merged the change. */
  revisionOf(change: Change): string;
  /** Proposes the change and has somebody else approve it. Returns the pull request's number and head. */
  proposeApproved(change: Change): Promise<{ readonly number: number; readonly sha: string }>;
  mergePullRequest(number: number): Promise<string>;
  /** The newest check run of a root on a revision, once it is as described. */
  seen(at: Place, what: string, isIt: (run: Readonly<CheckRun>) => boolean): Promise<Readonly<CheckRun>>;
  /** The newest check run of that name on a commit, once it is as described. */
  seenRun(
    name: string,
    sha: string,
    what: string,
    isIt: (run: Readonly<CheckRun>) => boolean,
  ): Promise<Readonly<CheckRun>>;
  /** A plan with changes, waiting for a person. */
  planned(at: Place): Promise<Readonly<CheckRun>>;
  applied(at: Place): Promise<Readonly<CheckRun>>;
  confirm(at: Place, by: Person): Promise<Readonly<CheckRun>>;
  /** Presses the button with this label. */
  press(run: Readonly<CheckRun>, label: string, by: Person): void;
}

/** A root's deployments of one revision. */
export interface Place {
  readonly root: SampleRoot;
  readonly sha: string;
  /** The id of a deployment that is not meant: an earlier one of the same revision. */
  readonly otherThan?: string;
}

/** The slowest step takes seconds on two loaded cores; only a hang takes minutes. */
const DEADLINE_MS = 180_000;

export function createScene(stack: Stack, workflows: Workflows, deadlineMs = DEADLINE_MS): Scene {
  const { github } = stack;
  const revisions = new Map<string, string>();
  const stopwatch = createStopwatch(github);
  const until = async (
    newest: () => Readonly<CheckRun> | undefined,
    what: string,
    isIt: (run: Readonly<CheckRun>) => boolean,
  ) => {
    try {
      return await github.waitFor(() => [newest()].find((run) => run !== undefined && isIt(run)), { what, deadlineMs });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${overviewOf(github)}`, {
        cause: error,
      });
    }
  };
  const seen: Scene['seen'] = (at, what, isIt) =>
    until(() => newestOf(github, at), `${at.root} at ${at.sha.slice(0, 7)}: ${what}`, isIt);
  const scene: Scene = {
    stack,
    github,
    stopwatch,
    workflows,
    async merge(change) {
      const sha = await scene.mergePullRequest(await propose(github, change));
      revisions.set(change.branch, sha);
      return sha;
    },
    revisionOf(change) {
      const sha = revisions.get(change.branch);
      if (sha === undefined) throw expected(`${change.branch} to be merged by an earlier step`, [...revisions.keys()]);
      return sha;
    },
    async proposeApproved(change) {
      const number = await propose(github, change);
      const ref = { repository: SAMPLE_NAME, number };
      await github.approve(ref, 'carol');
      return { number, sha: github.pullRequest(ref).headSha };
    },
    mergePullRequest: (number) =>
      github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'merge', by: 'carol' }),
    seen,
    seenRun: (name, sha, what, isIt) =>
      until(
        () => github.checkRuns(SAMPLE_NAME, sha).find((run) => run.name === name),
        `${name} at ${sha.slice(0, 7)}: ${what}`,
        isIt,
      ),
    planned: (at) => seen(at, 'a plan with the buttons Confirm and Reject', isPlanned),
    applied: (at) => seen(at, 'applied', isApplied),
    async confirm(at, by) {
      scene.press(await scene.planned(at), 'Confirm', by);
      return scene.applied(at);
    },
    press(run, label, by) {
      const button = run.actions.find((action) => action.label === label);
      if (!button) throw expected(`a button ${label} on ${run.name}`, describe(run));
      stopwatch.pressed(run.externalId, label);
      github.pressButton(run.id, button.identifier, by);
    },
  };
  return scene;
}

/** All check runs as a person sees them, newest first. */
function overviewOf(github: GitHubStandIn): string {
  const lines = github.checkRuns(SAMPLE_NAME).map((run) => `  ${describe(run)}`);
  return `The check runs, newest first:\n${lines.length === 0 ? '  (none)' : lines.join('\n')}`;
}

function describe({ name, headSha, status, conclusion, output, actions }: Readonly<CheckRun>): string {
  const buttons = actions.map(({ label }) => `[${label}]`).join(' ');
  return `${headSha.slice(0, 7)} ${name}: ${conclusion ?? status}, "${output.title ?? ''}" ${buttons}`.trimEnd();
}

function newestOf(github: GitHubStandIn, { root, sha, otherThan }: Place): Readonly<CheckRun> | undefined {
  return github
    .checkRuns(SAMPLE_NAME, sha)
    .find(({ name, externalId }) => name === `nereid/deploy: ${root}` && externalId !== otherThan);
}

function isPlanned({ conclusion, output, actions }: Readonly<CheckRun>): boolean {
  const labels = actions.map(({ label }) => label).join(' ');
  return (
    conclusion === 'action_required' && labels === 'Confirm Reject' && /^Plan: \d+ to add/.test(output.title ?? '')
  );
}

function isApplied({ conclusion, output }: Readonly<CheckRun>): boolean {
  return conclusion === 'success' && output.title?.startsWith('Applied: ') === true;
}
