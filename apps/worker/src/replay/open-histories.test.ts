import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { countOpen, openHistories } from './open-histories.ts';

const OPEN = { workflowId: 'acme/infra||network', runId: 'run-1', type: 'deploy' };

test('each question to Temporal ends at its deadline: the client would repeat it for ever', async () => {
  const { client, deadlines } = aTemporal();

  await countOpen(client);
  const fetched = await Array.fromAsync(openHistories(client));

  expect(fetched).toMatchObject([{ ...OPEN, kind: 'fetched' }]);
  expect(deadlines).toEqual({ count: true, list: true, history: true });
});

/** With one open workflow; says which questions had a deadline. */
function aTemporal() {
  const deadline = new AsyncLocalStorage<number>();
  const deadlines: Record<string, boolean> = {};
  const asked = (what: string) => {
    deadlines[what] = (deadline.getStore() ?? Infinity) <= Date.now() + 60_000;
  };
  const client = {
    withDeadline: (at: number, act: () => Promise<unknown>) => deadline.run(at, act),
    workflow: {
      count: async () => {
        asked('count');
        return { count: 1 };
      },
      async *list() {
        asked('list');
        yield OPEN;
      },
      getHandle: () => ({
        fetchHistory: async () => {
          asked('history');
          return { events: [] };
        },
      }),
    },
  };
  return { client: client as unknown as Client, deadlines };
}
