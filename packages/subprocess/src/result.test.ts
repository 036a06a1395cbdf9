import { describe, expect, test } from '@jest/globals';
import { chooseEnd, statusOfShell, type EndFacts } from './result.ts';
import { STOP_CAUSES } from './stop-cause.ts';

const facts = (some: Partial<EndFacts>): EndFacts => ({ stopCauses: new Set(), stoppedBy: 'sigint', ...some });

describe('the truest cause', () => {
  test('of several reasons to stop is the first of: timed out, cancelled, host shutting down, slot needed, output limit', () => {
    const chosen = STOP_CAUSES.map((_, index) => chooseEnd(facts({ stopCauses: new Set(STOP_CAUSES.slice(index)) })));

    expect(chosen.map((end) => end.kind === 'stopped' && end.cause)).toEqual([...STOP_CAUSES]);
  });

  test('is the reason to stop, with the exit code beside it', () => {
    const end = chooseEnd(facts({ stopCauses: new Set(['cancelled']), status: { exitCode: 1 } }));

    expect(end).toEqual({ kind: 'stopped', cause: 'cancelled', stoppedBy: 'sigint', exitCode: 1 });
  });

  test('is that it could not start, before any status', () => {
    expect(chooseEnd(facts({ whyNotStarted: 'no such file', status: { exitCode: 125 } }))).toEqual({
      kind: 'could-not-start',
      why: 'no such file',
    });
  });

  test('is the signal, then the exit code, and without either the command is lost', () => {
    expect(chooseEnd(facts({ status: { signal: 'SIGKILL' } }))).toEqual({ kind: 'killed', signal: 'SIGKILL' });
    expect(chooseEnd(facts({ status: { exitCode: 0 } }))).toEqual({ kind: 'exited', exitCode: 0 });
    expect(chooseEnd(facts({}))).toEqual({ kind: 'lost' });
  });
});

test('a shell reports a signal as 128 plus its number', () => {
  expect([0, 2, 127, 128, 130, 137, 255].map(statusOfShell)).toEqual([
    { exitCode: 0 },
    { exitCode: 2 },
    { exitCode: 127 },
    { exitCode: 128 },
    { signal: 'SIGINT' },
    { signal: 'SIGKILL' },
    { exitCode: 255 },
  ]);
});
