/** The same workflow of a later build, which begins with one more step. */
import { condition, defineSignal, patched, setHandler, sleep } from '@temporalio/workflow';

export async function terraform(): Promise<void> {
  let answers = 0;
  setHandler(defineSignal('answer'), () => {
    answers += 1;
  });
  if (patched('one-more-step')) await sleep(1);
  await condition(() => answers >= 2);
}
