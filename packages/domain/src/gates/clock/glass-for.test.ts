import { expect, test } from '@jest/globals';
import { GATE_NAMES, type GateName } from '../../deployment/wait-reason.ts';
import { aBreakGlass } from '../../testing/envelopes.ts';
import { canBreakGlass, glassFor } from './glass-for.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');
const LATER = '2026-01-31T15:00:00.000Z';

const glassOf = (deploymentId: string, digest?: string, until = LATER) =>
  aBreakGlass({ deploymentId, until, ...(digest !== undefined && { digest }) }).body;

test('the apply of a plan takes the word of a person who named this very plan', () => {
  const before = glassOf('1');
  const own = glassOf('1', 'a1');

  expect(glassFor([before, own], { deploymentId: '1', digest: 'a1' }, NOW)).toBe(own);
  expect(glassFor([before, own], { deploymentId: '1', digest: 'b2' }, NOW)).toBeUndefined();
  expect(glassFor([before], { deploymentId: '1', digest: 'a1' }, NOW)).toBeUndefined();
});

test('a plan takes the word of a person about its deployment, whatever plan it had', () => {
  expect(glassFor([glassOf('1', 'a1')], { deploymentId: '1' }, NOW)).toBeDefined();
  expect(glassFor([glassOf('1')], { deploymentId: '1' }, NOW)).toBeDefined();
});

test('it says nothing about another deployment, nor after its end', () => {
  expect(glassFor([glassOf('1', 'a1')], { deploymentId: '2', digest: 'a1' }, NOW)).toBeUndefined();
  expect(glassFor([glassOf('1', 'a1')], { deploymentId: '1', digest: 'a1' }, Date.parse(LATER))).toBeUndefined();
});

test('a person can let a deployment pass that waits at a stop or at a window, and no other one', () => {
  const at = (gate: GateName) => canBreakGlass({ waitsFor: { gate, who: [] } });

  expect(GATE_NAMES.filter(at)).toEqual(['stop', 'window']);
  expect([canBreakGlass({ waitsFor: 'host' }), canBreakGlass({})]).toEqual([false, false]);
});
