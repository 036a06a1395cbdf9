/** A workflow that waits for two answers. */
import { condition, defineSignal, setHandler } from '@temporalio/workflow';

export async function terraform(): Promise<void> {
  let answers = 0;
  setHandler(defineSignal('answer'), () => {
    answers += 1;
  });
  await condition(() => answers >= 2);
}
