/** Notes the time of the activation in which each signal arrives. */
import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';

export async function noteSignals(rounds: number): Promise<readonly number[]> {
  const times: number[] = [];
  setHandler(defineQuery('times'), () => times);
  setHandler(defineSignal('note'), () => {
    times.push(Date.now());
  });
  await condition(() => times.length >= rounds);
  return times;
}
