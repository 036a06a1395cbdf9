import { describe, expect, test } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { folderOfEachTest } from '../testing/folders.ts';
import { readRecordedHistories, recordHistory } from './recorded-histories.ts';

const TASK_COMPLETED = {
  eventType: 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
  workflowTaskCompletedEventAttributes: { scheduledEventId: '2', startedEventId: '3', identity: '42@a-laptop' },
};
const AT_REST = [started(), taskScheduled(), taskStarted(), TASK_COMPLETED];

const folder = folderOfEachTest();

describe('recording a history', () => {
  test('writes it under the name of its workflow and state', async () => {
    await recordHistory(path.join(folder, '1.0.0'), 'idle', showing(AT_REST));

    expect(await readRecordedHistories(folder)).toMatchObject([
      { release: '1.0.0', workflow: 'deploy', name: 'deploy-idle', history: { events: { length: AT_REST.length } } },
    ]);
  });

  test('waits until the task under way is answered: what a query saw may stand in its end', async () => {
    await recordHistory(folder, 'idle', showing(AT_REST.slice(0, 3), AT_REST));

    expect(await recorded('deploy-idle')).toContain('EVENT_TYPE_WORKFLOW_TASK_COMPLETED');
  });

  test('leaves out the process, the host and the folders of this machine', async () => {
    await recordHistory(folder, 'idle', showing([...AT_REST, activityFailed()]));

    expect(await recorded('deploy-idle')).not.toMatch(/a-laptop|somebody/);
  });

  test('of a state that another test recorded fails, as one of both would be lost', async () => {
    await recordHistory(folder, 'idle', showing(AT_REST));

    await expect(recordHistory(folder, 'idle', showing(AT_REST))).rejects.toThrow('EEXIST');
  });
});

const recorded = (name: string) => readFile(path.join(folder, `${name}.json`), 'utf8');

/** A workflow whose history is asked for again and again, and then stays as the last one. */
function showing(...histories: (readonly object[])[]) {
  let asked = 0;
  return {
    async fetchHistory() {
      const events = histories[Math.min(asked, histories.length - 1)] ?? [];
      asked += 1;
      const eventTime = '2026-01-31T14:00:00Z';
      return historyFromJSON({
        events: events.map((event, index) => ({ eventId: String(index + 1), eventTime, taskId: '7', ...event })),
      });
    },
  };
}

function started() {
  return {
    eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
    workflowExecutionStartedEventAttributes: { workflowType: { name: 'deploy' }, identity: '42@a-laptop' },
  };
}

function taskScheduled() {
  const taskQueue = { name: '42@a-laptop-deploy', kind: 'TASK_QUEUE_KIND_STICKY', normalName: 'deploy' };
  return {
    eventType: 'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
    workflowTaskScheduledEventAttributes: { taskQueue, attempt: 1 },
  };
}

function taskStarted() {
  return {
    eventType: 'EVENT_TYPE_WORKFLOW_TASK_STARTED',
    workflowTaskStartedEventAttributes: { scheduledEventId: '2', identity: '42@a-laptop' },
  };
}

function activityFailed() {
  const failure = { message: 'no', stackTrace: 'Error: no\n    at file:///opt/somebody/clone/fake.ts:1:1' };
  return {
    eventType: 'EVENT_TYPE_ACTIVITY_TASK_FAILED',
    activityTaskFailedEventAttributes: { failure, scheduledEventId: '2', startedEventId: '3' },
  };
}
