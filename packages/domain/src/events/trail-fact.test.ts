import { expect, test } from '@jest/globals';
import type { TrailEvent } from '../trail/index.ts';
import { trailFact } from './trail-fact.ts';

test.each([
  ['apply-begun', { id: 'j1:RUNNING', jobId: 'j1', state: 'RUNNING' }],
  ['apply-ended', { id: 'j1:FAILURE', jobId: 'j1', state: 'FAILURE' }],
  ['accepted', { id: 'd1:REVIEWED', action: 'confirm', state: 'REVIEWED' }],
  ['refused', { id: 'd1:REFUSED', action: 'drain', state: 'REFUSED' }],
  ['force-unlock-ended', { id: 'f1:FAILURE', action: 'force_unlock', state: 'FAILURE' }],
  ['forged', { id: 'x:FORGED', state: 'FORGED' }],
])('an event of the audit trail says that something was %s, under its own id: %j', (kind, some) => {
  const fact = some as TrailEvent; // Nothing else of it counts.

  expect(trailFact(fact)).toEqual({ kind, id: fact.id, fact });
});
