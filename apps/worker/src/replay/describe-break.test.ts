/** Messages as `@temporalio/worker` 1.24.0 has them. */
import { expect, test } from '@jest/globals';
import { describeBreak } from './describe-break.ts';
import type { History } from './open-histories.ts';

const NONDETERMINISM =
  'Replay failed with a nondeterminism error. This means that the workflow code as written is not compatible with the history that was fed in. Details: ';

const EMPTY: History = { events: [] };

test('the event that the code does not lead to is named, and what the code does instead', () => {
  const said = 'Timer machine does not handle this event: HistoryEvent(id: 5, UpsertWorkflowSearchAttributes)';

  expect(describeBreak(`${NONDETERMINISM}[TMPRL1100] Nondeterminism error: ${said}`, EMPTY)).toEqual({
    event: { id: 5, type: 'UpsertWorkflowSearchAttributes' },
    what: said,
  });
});

test('a step of another release is named, with the event of its marker', () => {
  const failure =
    'Workflow activation completion failed: Failure { failure: Some(Failure { message: "[TMPRL1100] Nondeterminism error: Non-deprecated patch marker encountered for change one-more-step, but there is no corresponding change command!", source: "" }) }';
  const data = Buffer.from('{"id":"one-more-step","deprecated":false}');
  const marked = { markerName: 'core_patch', details: { 'patch-data': { payloads: [{ data }] } } };
  const history = { events: [{ eventId: 7, markerRecordedEventAttributes: marked }] } as unknown as History; // What is read of it.

  expect(describeBreak(NONDETERMINISM + failure, history)).toEqual({
    event: { id: 7, type: 'MarkerRecorded' },
    what: 'it took the step one-more-step of another release, which this code lacks',
  });
});

test('what the library says otherwise is passed on as it is', () => {
  expect(describeBreak('Replay failed due workflow task failure. Details: no such workflow type', EMPTY)).toEqual({
    event: undefined,
    what: 'no such workflow type',
  });
});
