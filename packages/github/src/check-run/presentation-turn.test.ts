import { expect, test } from '@jest/globals';
import type { CheckRunContent } from '@nereid/forge';
import { CONTENT } from '../fixtures/fake-github.ts';
import { presentationTurn } from './presentation-turn.ts';

const COMPLETED: CheckRunContent = { ...CONTENT, status: 'completed', conclusion: 'action_required' };
const ordinary = { creationUncertain: false, superseded: undefined, priority: undefined };

test('an end or a button is final, a first check run is first, and all else is progress', () => {
  const priorities = [
    presentationTurn(COMPLETED, [], ordinary),
    presentationTurn(CONTENT, [], ordinary),
    presentationTurn(CONTENT, [{ id: 5, completed: false }], ordinary),
    presentationTurn(CONTENT, [], { ...ordinary, priority: 'final' }),
  ].map(({ priority }) => priority);

  expect(priorities).toEqual(['final', 'first', 'progress', 'final']);
});

test('a turn has the points of what is superseded, too', () => {
  const refs = [{ id: 5, completed: true }];

  expect(presentationTurn(CONTENT, refs, { ...ordinary, superseded: COMPLETED })).toMatchObject({
    restPoints: 5,
    againPoints: 11,
  });
});

test('a create comes back with the points for a look', () => {
  expect(presentationTurn(CONTENT, [], ordinary)).toMatchObject({ restPoints: 0, againPoints: 6 });
  expect(presentationTurn(CONTENT, [{ id: 5, completed: false }], ordinary)).toMatchObject({
    restPoints: 0,
    againPoints: 5,
  });
});
