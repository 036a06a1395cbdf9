import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PolicyFinding } from './conftest-output.ts';
import { limitMessages } from './limit-messages.ts';

const denied = (denials: readonly string[], warnings: readonly string[] = []): PolicyFinding => ({
  verdict: 'denied',
  denials,
  warnings,
});

test('short findings are kept as they are', () => {
  expect(limitMessages([denied(['no'], ['perhaps'])])).toEqual([denied(['no'], ['perhaps'])]);
});

test('a message is one line of at most 500 characters, and none of them is halved', () => {
  const [limited] = limitMessages([denied([`${'😀'.repeat(600)}\nmore`, 'two\r\nlines\u0000'])]);

  expect(Array.from(limited?.denials[0] ?? '')).toHaveLength(500);
  expect(limited?.denials[0]).toMatch(/^(?:😀)+…$/u);
  expect(limited?.denials[1]).toContain('two lines');
});

test('of many messages 50 are shown, the denials first, and the rest is counted', () => {
  const many = (text: string) => Array.from({ length: 40 }, (_, index) => `${text} ${index}`);

  const [limited] = limitMessages([denied(many('no'), many('perhaps'))]);

  expect(limited?.denials).toHaveLength(40);
  expect(limited?.warnings).toHaveLength(10);
  expect(limited?.omitted).toBe(30);
});

test('the warnings of one policy take no room from the denials of the next', () => {
  const warnings = Array.from({ length: 50 }, () => 'w'.repeat(499));

  const [, second] = limitMessages([denied([], warnings), denied(['the reason'])]);

  expect(second?.denials).toEqual(['the reason']);
});

test('whatever policies say, all of it has room on a check run and nothing is lost uncounted', () => {
  const messages = fc.array(fc.string({ maxLength: 2_000, unit: 'binary' }), { maxLength: 80 });
  const findings = fc.array(fc.record({ denials: messages, warnings: messages }), { maxLength: 20 });

  fc.assert(
    fc.property(findings, (all) => {
      const limited = limitMessages(all.map(({ denials, warnings }) => denied(denials, warnings)));
      const shown = limited.flatMap(({ denials, warnings }) => [...denials, ...warnings]);

      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(8_000 + 2 * shown.length);
      for (const [index, { denials, warnings, omitted = 0 }] of limited.entries()) {
        const had = (all[index]?.denials.length ?? 0) + (all[index]?.warnings.length ?? 0);
        expect(denials.length + warnings.length + omitted).toBe(had);
      }
    }),
    { numRuns: 30 },
  );
});
