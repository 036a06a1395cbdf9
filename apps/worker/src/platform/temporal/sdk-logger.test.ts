import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createSdkLogger } from './sdk-logger.ts';

test('what the SDK says is a record of its level, with its times as text', () => {
  const { sdkLogger, records } = logging();

  sdkLogger.error('Workflow failed', { timestampNanos: 12n, workflowId: 'lane' });

  expect(records()).toEqual([{ level: 50, timestampNanos: '12', workflowId: 'lane', msg: 'Workflow failed' }]);
});

test('why an activity failed is in its record', () => {
  const { sdkLogger, records } = logging();

  sdkLogger.warn('Activity failed', { error: new Error('the mirror is gone'), attempt: 2 });

  expect(records()).toMatchObject([{ level: 40, attempt: 2, err: { message: 'the mirror is gone' } }]);
});

test('a report of many lines is one record', () => {
  const { sdkLogger, records } = logging();

  sdkLogger.info('asset workflow-bundle.js\n  modules by path\n');

  expect(records()).toHaveLength(1);
});

test('a worker that has no workflows is what we mean: nothing is said of it', () => {
  const { sdkLogger, records } = logging();

  sdkLogger.warn('No workflows registered, not polling for workflow tasks');
  sdkLogger.warn('Something else');

  expect(records()).toMatchObject([{ level: 40, msg: 'Something else' }]);
});

function logging() {
  const lines: string[] = [];
  const logger = pino({ level: 'info', base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  return { sdkLogger: createSdkLogger(logger), records: () => lines.map((line) => JSON.parse(line) as unknown) };
}
