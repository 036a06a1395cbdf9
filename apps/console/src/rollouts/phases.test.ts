import { expect, test } from '@jest/globals';
import { phasesOf } from './phases.ts';
import { timeline } from './timeline.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 10, minutes)).toISOString();

test('each phase ends when the next one begins, and the last one with the deployment', () => {
  const times = { planning: at(1), 'awaiting-review': at(2), applying: at(30) };

  expect(phasesOf({ receivedAt: at(0), status: 'succeeded', times, endedAt: at(31) })).toEqual([
    { name: 'queued', from: at(0), to: at(1) },
    { name: 'planning', from: at(1), to: at(2) },
    { name: 'review', from: at(2), to: at(30) },
    { name: 'applying', from: at(30), to: at(31) },
  ]);
});

test('what goes on has no end, and what did not happen is left out', () => {
  const times = { preparing: at(1), planning: at(2), applying: at(3) };

  expect(phasesOf({ receivedAt: at(0), status: 'applying', times })).toEqual([
    { name: 'queued', from: at(0), to: at(1) },
    { name: 'planning', from: at(1), to: at(3) },
    { name: 'applying', from: at(3) },
  ]);
});

test('a deployment that waits for its review does not plan any more, whatever its lane has heard', () => {
  const waits = { receivedAt: at(0), status: 'awaiting-review', times: { planning: at(1) } } as const;
  const queued = { name: 'queued', from: at(0), to: at(1) };

  expect(phasesOf({ ...waits, reviewWait: { since: at(3) } })).toEqual([
    queued,
    { name: 'planning', from: at(1), to: at(3) },
    { name: 'review', from: at(3) },
  ]);
  expect(phasesOf(waits)).toEqual([queued]);
});

test('a deployment that is blocked does not plan any more', () => {
  const times = { preparing: at(1), planning: at(2) };

  expect(phasesOf({ receivedAt: at(0), status: 'blocked', times })).toEqual([
    { name: 'queued', from: at(0), to: at(1) },
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
