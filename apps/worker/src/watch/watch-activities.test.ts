import { expect, test } from '@jest/globals';
import type { WatchResult } from '@nereid/domain/activities';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import type { WorkerContext } from '../platform/context.ts';
import { createWatchActivities } from './watch-activities.ts';

const LAST: WatchResult = {
  stuck: { count: 0, workflows: [], windows: { at: new Date().toISOString(), files: [] } },
  ...{ found: [], failed: [], lanesAt: new Date().toISOString() },
};

/** Temporal does not list lanes that were ended by force; nothing else is wrong. */
function contextOf(logged: object[]): WorkerContext {
  async function* list({ query }: { readonly query: string }) {
    if (query.includes('Terminated')) throw new Error('Temporal is away');
    if (query.includes("'Completed'")) yield { workflowId: 'watch', runId: '1' };
  }
  return {
    temporal: {
      workflow: {
        list,
        getHandle: () => ({ result: async () => LAST }),
        workflowService: { describeNamespace: async () => ({}) },
        options: { namespace: 'default' },
      },
    },
    server: { current: () => ({ repositories: [], protectionRules: [], windows: [] }) },
    metrics: { onStuckWorkflows: () => undefined, onWaits: () => undefined },
    owedAudits: { list: async () => [] },
    logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line) as object) }),
  } as unknown as WorkerContext; // What is used of it.
}

test('a watch that cannot resume lanes keeps its list of stuck workflows, and announces windows', async () => {
  const logged: object[] = [];
  const { watch } = createWatchActivities(contextOf(logged));

  const report = await new MockActivityEnvironment().run(() => watch('reportStuck', []));

  // A look at windows knows the server's file as it is now.
  expect(report).toMatchObject({
    count: 0,
    workflows: [],
    windows: { files: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
  });
  expect(logged).toMatchObject([{ step: 'resume lanes that were ended' }]);
});
