/** What must hold at the end, whatever happened. */
import { expected } from './failure.ts';
import type { Step } from './step.ts';

export const wellBehaved: readonly Step[] = [
  {
    title: 'GitHub would have refused no request',
    async play({ github }) {
      await github.settled();
      github.assertNoRefusedRequests();
    },
  },
  {
    title: 'no workflow failed',
    async play({ workflows }) {
      const failed = await workflows.failed();
      if (failed.length > 0) throw expected('no failed workflow', failed);
    },
  },
];
