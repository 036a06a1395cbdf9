/** The stack for a person: it merges the first pull request by itself, says where to look, and runs until Ctrl-C. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { interruption } from './interruption.ts';
import { lookHere } from './look-here.ts';
import type { Play } from './play.ts';
import { CHANGES, propose } from './sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from './sample/repository.ts';
import { startStack, type Stack } from './stack/stack.ts';

/** Kept between runs; `make demo-reset` removes it. */
const FOLDER = path.join(import.meta.dirname, '../../../.nereid');

/** The emulator of S3 forgets everything when it stops, so nothing else of such a run can be continued either. */
const S3_FOLDER = path.join(FOLDER, 's3');

/** Three plans on a first start, on two loaded cores. */
const PLANNED_DEADLINE_MS = 60_000;

export async function demo(play: Play): Promise<number> {
  const { report } = play;
  const interrupted = interruption(report);
  try {
    await using stack = await startStack({ ...play, folder: await folderOf(play), ports: 'usual' });
    if ((await ensureSample(stack.github)) === 'created') await begin(stack);
    for (const line of lookHere(stack)) report(line);
    await interrupted;
  } catch (error) {
    report(`✗ ${error instanceof Error ? error.message : String(error)}`);
    report('Mend it and try again; `make demo-reset` forgets what earlier runs kept.');
    return 1;
  }
  report('Stopped. `make demo` goes on from here, `make demo-reset` starts afresh.');
  return 0;
}

async function folderOf({ storage }: Play): Promise<string> {
  if (storage === 'folder') return FOLDER;
  await rm(S3_FOLDER, { recursive: true, force: true });
  return S3_FOLDER;
}

/** Merges the first pull request and waits for its plans; leaves the other pull requests for the person. */
async function begin({ github }: Stack): Promise<void> {
  const { grow, breakNaming, comment, replica, backup, www, mail } = CHANGES;
  const number = await propose(github, grow);
  const sha = await github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'merge', by: 'carol' });
  for (const change of [breakNaming, comment, replica, backup, www, mail]) await propose(github, change);
  const isPlanned = () => github.checkRuns(SAMPLE_NAME, sha).some(({ actions }) => actions.length > 0);
  const options = { what: 'a plan of the first merge', deadlineMs: PLANNED_DEADLINE_MS };
  await github.waitFor(() => (isPlanned() ? true : undefined), options);
}
