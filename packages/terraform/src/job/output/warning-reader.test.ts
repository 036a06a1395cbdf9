import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { fixture } from '../../../fixtures/fixture.ts';
import { createWarningReader } from './warning-reader.ts';

const printed = await readFile(fixture('terraform-1.11.4-warnings.txt'));
const WARNINGS = [
  'Value for undeclared variable: The root module does not declare a variable named "replcias" but a value was found in file "x.auto.tfvars". If you meant to use this value, add a "variable" block to the configuration. To silence these warnings, use TF_VAR_... environment variables to provide certain "global" settings to all configurations in your organization. To reduce the verbosity of these warnings, use the -compact-warnings option.',
  'Check block assertion failed (main.tf line 9): the answer is not one',
];

function warningsIn(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
  const reader = createWarningReader();
  for (const chunk of chunks) reader.read(Buffer.from(chunk));
  return reader.warnings();
}

const framed = (...lines: readonly string[]) => `╷\n${lines.map((line) => `│ ${line}`).join('\n')}\n╵\n`;

describe('what Terraform warns of', () => {
  test('is found in its output, in one line each, without the source that it quotes', () => {
    expect(warningsIn(printed)).toEqual(WARNINGS);
  });

  test.each([1, 2, 7, 100])('is read however the output comes in pieces, of %d bytes for one', (size) => {
    const pieces = Array.from({ length: Math.ceil(printed.length / size) }, (_none, n) =>
      printed.subarray(n * size, (n + 1) * size),
    );

    expect(warningsIn(...pieces)).toEqual(WARNINGS);
  });

  test('is no error, nothing without a frame, and nothing whose frame has no end', () => {
    expect(warningsIn(framed('Error: No', '', 'no'), 'Warning: no\n', '╷\n│ Warning: no\n')).toEqual([]);
  });

  test('is bounded, whatever code of the root prints', () => {
    const many = framed('Warning: many').repeat(10_000);
    const long = framed(
      `Warning: ${'x'.repeat(1_000_000)}`,
      ...Array.from({ length: 10_000 }, () => 'y'.repeat(9_000)),
    );

    expect(warningsIn(many)).toHaveLength(100);
    expect(warningsIn(long, framed('Warning: after'))).toEqual([expect.stringMatching(/^x+/), 'after']);
    expect(warningsIn(long).join('').length).toBeLessThan(500_000);
  });
});
