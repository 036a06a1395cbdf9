import { expect, test } from '@jest/globals';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { pino } from 'pino';
import type { WorkerContext } from '../../platform/context.ts';
import { inspectWorkflows, suspectsAmong, type Looked } from './find-stuck.ts';

const REPORTED = { indexedFields: { TemporalReportedProblems: {} } };

interface Execution {
  readonly isListedAsReported?: boolean;
  readonly isUnlisted?: boolean;
  readonly hasEnded?: boolean;
  readonly isReported?: boolean;
  readonly attempt?: number;
}

/** What a look finds among these workflows, and which of them it had to ask about. */
async function askedAndFound(
  reportsProblems: boolean,
  all: Readonly<Record<string, Execution>>,
  before: readonly string[] = [],
) {
  const asked: string[] = [];
  const capabilities = { reportedProblemsSearchAttribute: reportsProblems };
  const temporal = {
    workflow: {
      options: { namespace: 'default' },
      workflowService: { describeNamespace: () => Promise.resolve({ namespaceInfo: { capabilities } }) },
      getHandle: (workflowId: string) => ({
        describe() {
          asked.push(workflowId);
          const { hasEnded, isReported, attempt } = all[workflowId] ?? {};
          const workflowExecutionInfo = isReported ? { searchAttributes: REPORTED } : {};
          const raw = { workflowExecutionInfo, pendingWorkflowTask: attempt === undefined ? null : { attempt } };
          return Promise.resolve({ status: { name: hasEnded ? 'TERMINATED' : 'RUNNING' }, raw });
        },
      }),
    },
  };
  const listed = Object.entries(all).filter(([, { isUnlisted }]) => isUnlisted !== true);
  const open = listed.map(([workflowId, { isListedAsReported }]) => ({
    ...{ workflowId, runId: 'r', type: 'deploy' },
    raw: isListedAsReported ? { searchAttributes: REPORTED } : {},
  })) as unknown as WorkflowExecutionInfo[]; // What is looked at.
  const context = { temporal, logger: pino({ level: 'silent' }) } as unknown as WorkerContext; // What is asked for.
  const known = before.map((workflowId) => ({ workflowId, runId: 'r', type: 'deploy' }));
  const suspects = await suspectsAmong(context, open, known);
  const found = await inspectWorkflows(context, suspects, new AbortController().signal);
  return {
    asked,
    found: Object.fromEntries(found.map(({ workflowId, how }): [string, Looked['how']] => [workflowId, how])),
  };
}

test('of five thousand open workflows, only those are asked about whose problems the server reports', async () => {
  const well = Object.fromEntries(Array.from({ length: 5_000 }, (_none, index) => [`lane-${index}`, {}]));
  const stuck = { isListedAsReported: true, isReported: true, attempt: 1 };

  expect(await askedAndFound(true, { ...well, stuck })).toEqual({ asked: ['stuck'], found: { stuck: 'stuck' } });
});

test('one that was stuck before is asked about, too: somebody has to hear that it goes on', async () => {
  expect(await askedAndFound(true, { before: {}, well: {} }, ['before'])).toEqual({
    asked: ['before'],
    found: { before: 'goes-on' },
  });
});

test.each([true, false])(
  'one that was stuck before is asked about although no list has it, and left out if it has ended: %s',
  async (reports) => {
    const ended = { isUnlisted: true, hasEnded: true };
    const open = { isUnlisted: true, isReported: true };

    expect(await askedAndFound(reports, { ended, open }, ['ended', 'open'])).toEqual({
      asked: ['ended', 'open'],
      found: { open: 'stuck' },
    });
  },
);

test('a list that is behind raises no alarm for a workflow that goes on again', async () => {
  expect(await askedAndFound(true, { lane: { isListedAsReported: true } })).toEqual({
    asked: ['lane'],
    found: { lane: 'goes-on' },
  });
});

test('where the server reports no problems, each workflow is asked about: at its third attempt, it is stuck', async () => {
  expect(await askedAndFound(false, { first: { attempt: 1 }, third: { attempt: 3 }, atRest: {} })).toEqual({
    asked: ['first', 'third', 'atRest'],
    found: { first: 'goes-on', third: 'stuck', atRest: 'goes-on' },
  });
});
