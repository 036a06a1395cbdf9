/** The stack for a person: merges the first pull request by itself, says where to look, and runs until Ctrl-C. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { deployPlatform, ensurePlatform } from './fleet/deploy-platform.ts';
import { PLATFORM_NAME, PLATFORM_ROOTS } from './fleet/platform.ts';
import { ensureHistory } from './history/ensure-history.ts';
import { MADE_UP_DEPLOYED } from './history/made-up-repositories.ts';
import { withOwnStates } from './stack/own-states.ts';
import { alreadyRuns, REFUSED, acquireDemoLock, type TakenLock } from './demo-lock.ts';
import { INTERRUPTED, interruption, unlessInterrupted, type Interruption } from './interruption.ts';
import { listPlaces, pullRequestsUrl } from './list-places.ts';
import type { Home, Play } from './play.ts';
import { CHANGES, propose } from './sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import { startStack, type Stack } from './stack/stack.ts';

/** Enough for three plans on a first start, on two loaded cores. */
const PLANNED_DEADLINE_MS = 60_000;

/** The roots that the first merge touches. */
const FIRST_PLANS = 3;

/** A process that dies now and then is worth another try; one that dies at once, again and again, is not. */
const RESTARTS = 3;

/** Returns the exit code. */
export async function demo(play: Play): Promise<number> {
  const { report, storage, home } = play;
  const lock = acquireDemoLock(home.folder);
  if (lock.kind === 'held') {
    report(alreadyRuns(lock));
    return REFUSED;
  }
  using taken = lock;
  const interrupted = interruption(report);
  try {
    const ending = await unlessInterrupted(interrupted, () => startAndStay(play, interrupted, taken));
    report(ending === 'stayed' ? STOPPED[storage](home) : 'Stopped before everything was running.');
    return ending === 'stayed' ? 0 : INTERRUPTED;
  } catch (error) {
    report(`✗ ${error instanceof Error ? error.message : String(error)}`);
    report(`Fix it and try again; \`${home.reset}\` removes everything that earlier runs kept.`);
    return 1;
  }
}

const STOPPED: Readonly<Record<Play['storage'], (home: Home) => string>> = {
  folder: ({ start, reset }) => `Stopped. \`${start}\` goes on from here, \`${reset}\` starts afresh.`,
  s3: () => 'Stopped. The S3 server kept everything in memory, so the next start with it begins afresh.',
};

/** Stays until it is interrupted, which may be before everything is running. Throws when a process ends for good by itself. */
async function startAndStay(play: Play, interrupted: Interruption, lock: TakenLock): Promise<'stayed' | 'interrupted'> {
  const { signal, happened } = interrupted;
  const folder = await folderOf(play);
  const deployed = [{ repository: PLATFORM_NAME, roots: PLATFORM_ROOTS }, ...MADE_UP_DEPLOYED];
  await using stack = await startStack({
    ...play,
    folder,
    ports: 'usual',
    restarts: RESTARTS,
    plansPullRequests: true,
    planReview: 'before_merge',
    ...withOwnStates(deployed, path.join(folder, 'state')),
    signal,
  });
  lock.announce(pullRequestsUrl(stack));
  if (play.hasHistory && (await ensureHistory(stack)) === 'created')
    play.report('A week of three repositories is made up.');
  const isNew = (await ensureSample(stack.github)) === 'created';
  const planned = isNew ? allPlanned(stack, await begin(stack)) : undefined;
  if ((await Promise.race([planned, stack.broken, happened])) === 'interrupted') return 'interrupted';

  play.report(['Everything is running.', '', ...listPlaces(stack)].join('\n'));
  // People can look on meanwhile.
  if ((await ensurePlatform(stack.github)) === 'created')
    deployPlatform(stack.github).catch((error: unknown) => {
      if (!signal.aborted) play.report(`✗ ${PLATFORM_NAME} is not as it should be: ${String(error)}`);
    });
  await Promise.race([stack.broken, happened]);
  return 'stayed';
}

async function folderOf({ storage, home }: Play): Promise<string> {
  if (storage === 'folder') return home.folder;
  // The S3 emulator forgets everything when it stops, so the rest of such a run cannot be continued either.
  const folder = path.join(home.folder, 's3');
  await rm(folder, { recursive: true, force: true });
  return folder;
}

/** Merges the first pull request and leaves the others to the person. Returns the merge's revision. */
async function begin({ github }: Stack): Promise<string> {
  const { grow, breakNaming, comment, gateway, peering, replica, backup, www, mail } = CHANGES;
  const number = await propose(github, grow);
  const sha = await github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'merge', by: 'carol' });
  for (const change of [breakNaming, comment, gateway, peering, replica, backup, www, mail])
    await propose(github, change);
  return sha;
}

function allPlanned({ github }: Stack, sha: string): Promise<true> {
  const planned = () => github.checkRuns(SAMPLE_NAME, sha).filter(({ actions }) => actions.length > 0);
  const options = { what: 'the plans of the first merge', deadlineMs: PLANNED_DEADLINE_MS };
  return github.waitFor(() => (planned().length === FIRST_PLANS ? true : undefined), options);
}
