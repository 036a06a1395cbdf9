/** Waits for a timer again and again: each wait is a workflow task, in which a few promises are made, as in any workflow. */
import { sleep } from '@temporalio/workflow';

export async function wait(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await Promise.all([step(), step(), step(), step()]);
}

async function step(): Promise<void> {
  await inner();
}

async function inner(): Promise<void> {
  await sleep(1);
}
