/** Workflows of a build with one more step: it replays whatever the first build began, and the first build does not replay its own. */
import { patched, sleep } from '@temporalio/workflow';

export async function deploy(): Promise<void> {
  if (patched('one-more-step')) await sleep(1);
  await sleep(3_600_000);
}
