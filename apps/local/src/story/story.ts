/** The story: the purpose of Nereid, from a merge to the last corner of its queue, played with real parts. */
import { firstMerge } from './first-merge.ts';
import { gates } from './gates.ts';
import { pullRequests } from './pull-requests.ts';
import { manualDeployments, queue } from './queue.ts';
import { reruns } from './reruns.ts';
import type { Step } from './step.ts';
import { waves } from './waves.ts';
import { webhooks } from './webhooks.ts';
import { wellBehaved } from './well-behaved.ts';

/** The steps build on each other and are played in this order, once. */
export function story(): readonly Step[] {
  return [
    ...firstMerge,
    ...reruns,
    ...queue,
    ...manualDeployments(),
    ...pullRequests(),
    ...gates(),
    ...waves,
    ...webhooks,
    ...wellBehaved,
  ];
}
