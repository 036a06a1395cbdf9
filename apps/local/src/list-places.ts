import type { CheckRun, PullRequest } from '@nereid/github-stand-in';
import { SAMPLE_NAME } from './sample/repository.ts';

/** The parts of the stack that tell where to look. */
interface Shown {
  readonly urls: { readonly github: string; readonly console: string; readonly temporalUi: string };
  readonly folders: { readonly logs: string };
  readonly github: {
    /** Newest first. */
    checkRuns(repository: string): readonly Pick<CheckRun, 'actions' | 'headSha' | 'detailsUrl'>[];
    pullRequests(repository: string): readonly Pick<PullRequest, 'state'>[];
  };
}

/** The places to look at, each below a line that says what is there at this moment. Fits into 80 columns. */
export function listPlaces(stack: Shown): readonly string[] {
  const places = [...first(stack), ...waitingPlans(stack), openPullRequests(stack), ...last(stack)];
  return [...places.flatMap(([what, where]) => [`  ${what}`, `    ${where}`]), '  Ctrl-C stops everything.'];
}

export function pullRequestsUrl({ urls }: Pick<Shown, 'urls'>): string {
  return `${urls.github}/${SAMPLE_NAME}/pulls`;
}

/** Newest first. After some days of trying things out, plans may wait on many. */
const COMMITS_SHOWN = 3;

type Place = readonly [what: string, where: string];

function waitingPlans({ urls, github }: Shown): readonly Place[] {
  const waiting = github.checkRuns(SAMPLE_NAME).filter(isWaiting);
  const [newest] = waiting;
  if (!newest) return [];
  const commits = Map.groupBy(waiting, ({ headSha }) => `${urls.github}/${SAMPLE_NAME}/commit/${headSha.slice(0, 7)}`);
  const plans = [...commits].map(
    ([commit, { length }]) => [`${counted(length, 'plan waits', 'plans wait')} for Confirm or Reject`, commit] as const,
  );
  const page = newest.detailsUrl ?? pullRequestsUrl({ urls });
  return [
    ...plans.slice(0, COMMITS_SHOWN),
    ['One of them: its timeline, its plan, its logs as they are written', withoutQuery(page)],
  ];
}

function openPullRequests(stack: Shown): Place {
  const open = stack.github.pullRequests(SAMPLE_NAME).filter(({ state }) => state === 'open').length;
  const what =
    open === 0
      ? 'No pull request is open: change a file to propose one'
      : `${counted(open, 'pull request is open: merge it', 'pull requests are open: merge one')}, or approve it and say "nereid apply"`;
  return [what, pullRequestsUrl(stack)];
}

function first({ urls }: Shown): readonly Place[] {
  return [
    ['Everything that needs a person; all lanes, and who did what', `${urls.console}/`],
    ['A merge that deploys twenty roots, of which one fails', `${urls.console}/rollouts`],
  ];
}

function last({ urls, folders }: Shown): readonly Place[] {
  return [
    ["Temporal's workflows", urls.temporalUi],
    ['Logs of the processes', folders.logs],
  ];
}

function isWaiting({ actions }: Pick<CheckRun, 'actions'>): boolean {
  return actions.some(({ label }) => label === 'Confirm');
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The local console needs no key, and finds a running deployment by its id alone. */
function withoutQuery(detailsUrl: string): string {
  const { origin, pathname } = new URL(detailsUrl);
  return origin + pathname;
}
