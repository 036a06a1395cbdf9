import { expect, test } from '@jest/globals';
import { phasesOf } from './phases.ts';
import { timeline } from './timeline.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 10, minutes)).toISOString();

test('each phase ends when the next one begins, and the last one with the deployment', () => {
  const times = { planning: at(1), 'awaiting-review': at(2), applying: at(30) };

  expect(phasesOf({ receivedAt: at(0), times, endedAt: at(31) })).toEqual([
    { name: 'queued', from: at(0), to: at(1) },
    { name: 'planning', from: at(1), to: at(2) },
    { name: 'review', from: at(2), to: at(30) },
    { name: 'applying', from: at(30), to: at(31) },
  ]);
});

test('what goes on has no end, and what did not happen is left out', () => {
  expect(phasesOf({ receivedAt: at(0), times: { preparing: at(1), planning: at(2), applying: at(3) } })).toEqual([
    { name: 'queued', from: at(0), to: at(1) },
    { name: 'planning', from: at(1), to: at(3) },
    { name: 'applying', from: at(3) },
  ]);
});

test('the words of a bar say that a phase goes on, instead of a time that it has not taken', () => {
  const phases = [
    { name: 'queued', from: at(0), to: at(1) },
    { name: 'review', from: at(1) },
  ] as const;

  const { markup } = timeline(phases, { start: Date.parse(at(0)), end: Date.parse(at(1)) });

  expect(markup).toMatch(/queued .*, still waiting for its review/);
});
