import { expect, test } from '@jest/globals';
import { spanIdOf, traceIdOf, traceparentOf } from './trace-ids.ts';

const SHA = 'a'.repeat(40);
const TRACE = traceIdOf({ owner: 'acme', name: 'infra' }, SHA);

test('all deployments of a revision have one trace, however its repository is written', () => {
  expect(TRACE).toMatch(/^[0-9a-f]{32}$/);
  expect(traceIdOf({ owner: 'Acme', name: 'Infra' }, SHA)).toBe(TRACE);
  expect(traceIdOf({ owner: 'acme', name: 'infra' }, 'b'.repeat(40))).not.toBe(TRACE);
});

test('each part of each deployment has a span of its own, which is the same in every process', () => {
  const ids = ['d1', 'd2'].flatMap((about) => ['plan', 'apply'].map((name) => spanIdOf(TRACE, { about, name })));

  expect(new Set(ids).size).toBe(4);
  expect(spanIdOf(TRACE, { about: 'd1', name: 'plan' })).toBe(ids[0]);
});

test('a program continues a span by its traceparent', () => {
  const span = spanIdOf(TRACE, { about: 'd1', name: 'apply' });

  expect(traceparentOf(TRACE, { about: 'd1', name: 'apply' })).toBe(`00-${TRACE}-${span}-01`);
});
