import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { fixture } from '../../fixtures/fixture.ts';
import { failureFrom } from './failure.ts';

test('the errors of Terraform are told without frames and colours, the first one in the summary', async () => {
  const said = await readFile(fixture('terraform-1.11.4-error.txt'));

  const failure = failureFrom(said, 'plan ended with exit code 1');

  expect(failure.summary).toBe('Error: Reference to undeclared input variable');
  expect(failure.lines).toEqual([
    'Error: Reference to undeclared input variable',
    '',
    '  on main.tf line 2, in resource "terraform_data" "a":',
    '   2:   input = var.missing',
    '',
    'An input variable with the name "missing" has not been declared. This',
    'variable can be declared with a variable "missing" {} block.',
    '',
    'Error: Reference to undeclared local value',
    '',
    '  on main.tf line 5, in resource "terraform_data" "b":',
    '   5:   input = local.nothing',
    '',
    'A local value with the name "nothing" has not been declared.',
  ]);
});

test('a warning beside the error is left out', () => {
  const said = '╷\n│ Warning: old\n│\n│ old\n╵\n╷\n│ Error: broken\n│\n│ why\n╵\n';

  expect(failureFrom(Buffer.from(said), '')).toEqual({ summary: 'Error: broken', lines: ['Error: broken', '', 'why'] });
});

test('an init that finds a mistake is told by the mistake', () => {
  const introduction =
    '│ Error: Terraform encountered problems during initialisation, including problems\n│ with the configuration.\n';
  const said = `╷\n${introduction}╵\n╷\n│ Error: Unclosed configuration block\n│ \n│   on broken.tf line 1\n╵\n`;

  expect(failureFrom(Buffer.from(said), '').summary).toBe('Error: Unclosed configuration block');
});

test('without an error of Terraform the last 60 lines are told', () => {
  const said = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

  const failure = failureFrom(Buffer.from(said), 'run ended with exit code 9');

  expect(failure.summary).toBe('run ended with exit code 9');
  expect(failure.lines).toHaveLength(60);
  expect(failure.lines.at(-1)).toBe('line 99');
});

test('invalid UTF-8, escapes, control and reordering characters do not come through', () => {
  const said = Buffer.from('\x1b[31mcaf\xe9\x1b[0m\x1b]0;title\x07\x00\x08 \xe2\x80\xaex\r\n', 'latin1');

  expect(failureFrom(said, '').lines).toEqual(['caf\ufffd x']);
});

test('long lines are cut, also in the middle of a pair of surrogates', () => {
  const said = Buffer.from(`${'a'.repeat(498)}😀${'b'.repeat(1_000)}`);

  const [line] = failureFrom(said, '').lines;

  expect(line).toHaveLength(500);
  expect(line?.isWellFormed()).toBe(true);
});
