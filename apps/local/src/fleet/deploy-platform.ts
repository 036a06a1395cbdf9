/**
 * Fills the lanes of the second repository, as its people would: one merge deploys twenty roots, of which half wait for a review and
 * one fails; then a deployment by hand locks a lane, and a merge waits behind it.
 */
import type { CheckRun, GitHubStandIn } from '@nereid/github-stand-in';
import { propose, type Change } from '../sample/changes.ts';
import type { Person } from '../sample/people.ts';
import { hasRepository } from '../sample/repository.ts';
import { FAILING, PLATFORM, PLATFORM_NAME, PLATFORM_PEOPLE, platformFiles } from './platform.ts';
import { BASELINE, baselineFile } from './root-files.ts';

type GitHub = Pick<
  GitHubStandIn,
  | 'approve'
  | 'checkRuns'
  | 'comment'
  | 'commit'
  | 'createRepository'
  | 'headOf'
  | 'mergePullRequest'
  | 'openPullRequest'
  | 'pressButton'
  | 'pullRequest'
  | 'waitFor'
>;

/** Creates the repository unless an earlier run did. Its first commit deploys nothing. */
export async function ensurePlatform(
  github: Pick<GitHub, 'createRepository' | 'headOf'>,
): Promise<'created' | 'found'> {
  if (await hasRepository(github, PLATFORM_NAME)) return 'found';
  await github.createRepository({ ...PLATFORM, files: platformFiles(), collaborators: PLATFORM_PEOPLE });
  return 'created';
}

/** Twenty plans and ten applies take a quarter of a minute on two cores; only a hang takes minutes. */
const DEADLINE_MS = 300_000;

const KEEP_LOGS: Change = {
  branch: 'keep-logs',
  title: 'Keep logs for 90 days',
  body: 'Touches the module that all roots use: twenty roots deploy. Half of them wait for a review.',
  author: 'bob',
  files: { [BASELINE]: baselineFile(90) },
};

const TRY_REPLICA: Change = {
  branch: 'cache-replica',
  title: 'A replica of the cache',
  body: 'Deployed by hand to try it out, which locks the lane of `cache`.',
  author: 'bob',
  files: { 'cache/replica.tf': cachePart('replica') },
};

const LARGER: Change = {
  branch: 'cache-size',
  title: 'A larger cache',
  body: 'Merged, and waits until somebody unlocks `cache`.',
  author: 'alice',
  files: { 'cache/size.tf': cachePart('size') },
};

export async function deployPlatform(github: GitHub): Promise<void> {
  const rollout = await merge(github, await propose(github, KEEP_LOGS, PLATFORM_NAME));
  await seen(github, { root: FAILING, sha: rollout }, 'failed', ({ conclusion }) => conclusion === 'failure');
  for (const root of ['accounts', 'registry']) await confirm(github, { root, sha: rollout }, 'alice');
  await seen(github, { root: 'cache', sha: rollout }, 'applied', ({ conclusion }) => conclusion === 'success');

  const number = await propose(github, TRY_REPLICA, PLATFORM_NAME);
  const ref = { repository: PLATFORM_NAME, number };
  await github.approve(ref, 'carol');
  github.comment(ref, 'alice', 'nereid apply cache');
  await confirm(github, { root: 'cache', sha: github.pullRequest(ref).headSha }, 'alice');
  const behind = { root: 'cache', sha: await merge(github, await propose(github, LARGER, PLATFORM_NAME)) };
  await seen(github, behind, 'locked', ({ output }) => (output.title ?? '').includes('ocked by'));
}

function merge(github: GitHub, number: number): Promise<string> {
  return github.mergePullRequest({ repository: PLATFORM_NAME, number }, { kind: 'squash', by: 'carol' });
}

interface Place {
  readonly root: string;
  readonly sha: string;
}

async function confirm(github: GitHub, at: Place, by: Person): Promise<void> {
  const planned = await seen(github, at, 'planned', (run) => confirmButton(run) !== undefined);
  github.pressButton(planned.id, confirmButton(planned)?.identifier ?? '', by);
  await seen(github, at, 'applied', ({ conclusion }) => conclusion === 'success');
}

function confirmButton({ actions }: Pick<CheckRun, 'actions'>) {
  return actions.find(({ label }) => label === 'Confirm');
}

/** The newest check run of a root on a revision, once it is as described. */
function seen(
  github: GitHub,
  { root, sha }: Place,
  what: string,
  isIt: (run: Readonly<CheckRun>) => boolean,
): Promise<Readonly<CheckRun>> {
  const newest = () => github.checkRuns(PLATFORM_NAME, sha).find(({ name }) => name === `nereid/deploy: ${root}`);
  const options = { what: `${root} at ${sha.slice(0, 7)}: ${what}`, deadlineMs: DEADLINE_MS };
  return github.waitFor(() => [newest()].find((run) => run !== undefined && isIt(run)), options);
}

function cachePart(name: string): string {
  return `resource "terraform_data" "${name}" {
  input = { cache = terraform_data.cache.id }
}
`;
}
