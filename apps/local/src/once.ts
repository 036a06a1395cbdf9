/** Plays the story without a person: a fresh folder, free ports, every step checked. Returns the exit code. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { INTERRUPTED, interruption, unlessInterrupted, type Interruption } from './interruption.ts';
import type { Play } from './play.ts';
import { ensureSample } from './sample/repository.ts';
import { leftovers } from './stack/running/leftovers.ts';
import { logTails } from './stack/log-tails.ts';
import { startStack } from './stack/stack.ts';
import { expected, StoryStepError } from './story/failure.ts';
import { measurementsOf } from './story/measurements.ts';
import { createScene, type Scene } from './story/scene.ts';
import { story } from './story/story.ts';
import { openWorkflows } from './story/workflows.ts';

type Ending = 'told' | 'interrupted';

export async function once(play: Play): Promise<number> {
  const { report } = play;
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-demo-'));
  const interrupted = interruption(report);
  try {
    const ending = await unlessInterrupted(interrupted, () => startAndPlay(play, folder, interrupted));
    await assertNothingLeft(folder);
    await rm(folder, { recursive: true, force: true });
    report(ending === 'told' ? '✓ The story ended as it should; nothing that was started is left.' : 'Stopped.');
    return ending === 'told' ? 0 : INTERRUPTED;
  } catch (error) {
    report(`✗ ${error instanceof Error ? error.message : String(error)}`);
    // The error of a process that could not start already contains the end of its log.
    if (error instanceof StoryStepError) for (const line of await logTails(path.join(folder, 'logs'))) report(line);
    report(`Everything that was kept is in ${folder}; remove it when you have read it.`);
    return 1;
  }
}

async function startAndPlay(play: Play, folder: string, { signal, happened }: Interruption): Promise<Ending> {
  await using stack = await startStack({
    ...play,
    folder,
    ports: 'free',
    plansPullRequests: true,
    planReview: 'before_merge',
    signal,
  });
  await using workflows = await openWorkflows(stack);
  await ensureSample(stack.github);
  const scene = createScene(stack, workflows);
  const ending = await Promise.race([playStory(scene, play), stack.broken, happened]);
  if (ending === 'told') for (const line of await measurementsOf(scene)) play.report(line);
  return ending;
}

async function playStory(scene: Scene, { report }: Play): Promise<'told'> {
  for (const step of story()) {
    const startedAt = performance.now();
    await step.play(scene).catch((cause: unknown) => {
      throw new StoryStepError(step.title, { cause });
    });
    report(`✓ ${step.title} (${((performance.now() - startedAt) / 1000).toFixed(2)} s)`);
  }
  return 'told';
}

async function assertNothingLeft(folder: string): Promise<void> {
  const left = await leftovers(folder);
  if (left.length > 0) throw expected('no process to be left', left);
}
