/** Words of enumerations that are mistyped, wherever they stand. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { object, ofKinds, oneOf, parseWith, text } from './schema.ts';
import { readYaml } from './yaml-source.ts';

const Name = z.literal('webhook');
const Other = z.literal('slack');

test.each([
  ['a word', oneOf(['auto', 'required']), 'requird', 'one of "auto", "required" (did you mean "required"?)'],
  [
    'a kind',
    ofKinds([object({ kind: Name }), object({ kind: Other })]),
    '{ kind: webhok }',
    '(did you mean "webhook"?)',
  ],
  [
    'a word beside mappings',
    z.union([z.enum(['init', 'plan']), object({ run: text('a command') })], 'a step'),
    'pla',
    'a step (did you mean "plan"?)',
  ],
])('of %s, the one that was meant is named', (_what, schema, yaml, expected) => {
  expect(messagesOf(schema, yaml)).toEqual([expect.stringContaining(`${expected}, found "`)]);
});

test('of a word that is like none, none is named', () => {
  expect(messagesOf(oneOf(['auto', 'required']), 'never')).toEqual([
    'expected one of "auto", "required", found "never"',
  ]);
});

function messagesOf(schema: z.ZodType, yaml: string): readonly string[] {
  const read = readYaml(yaml);
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  const parsed = parseWith(schema, read.source);
  return parsed.kind === 'invalid' ? parsed.problems.map(({ message }) => message) : [];
}
