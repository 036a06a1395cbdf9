import { describe, expect, test } from '@jest/globals';
import { sensitiveValues } from './sensitive-values.ts';

const change = (of: object) => ({ resource_changes: [{ address: 'aws_db_instance.postgres', change: of }] });

describe('the values that Terraform marks as sensitive', () => {
  test.each([
    ['before a change', change({ before: { a: 'the secret' }, before_sensitive: { a: true } })],
    ['after a change', change({ after: { a: 'the secret' }, after_sensitive: { a: true } })],
    [
      'deep in lists',
      change({ after: { a: ['open', { b: 'the secret' }] }, after_sensitive: { a: [false, { b: true }] } }),
    ],
    ['of a whole object', change({ after: { a: { b: ['the secret'] } }, after_sensitive: { a: true } })],
    [
      'outside of Terraform',
      { resource_drift: change({ before: 'the secret', before_sensitive: true }).resource_changes },
    ],
    ['in an output', { output_changes: { o: { after: 'the secret', after_sensitive: true } } }],
    [
      'of a data source',
      { prior_state: { values: { root_module: { child_modules: [{ resources: [aDataSource()] }] } } } },
    ],
    ['of a planned resource', { planned_values: { root_module: { resources: [aDataSource()] } } }],
    [
      'of an output in the state',
      { prior_state: { values: { outputs: { o: { sensitive: true, value: 'the secret' } } } } },
    ],
    [
      'of a variable',
      {
        variables: { v: { value: 'the secret' }, open: { value: 'everybody knows' } },
        configuration: { root_module: { variables: { v: { sensitive: true }, open: {} } } },
      },
    ],
  ])('%s', (_where, plan) => {
    expect(sensitiveValues(plan)).toEqual(['the secret']);
  });

  test('are each in a text of JSON, and each line of another text', () => {
    const after = { json: '{"a":["the secret"]}', text: 'the first\n  the second\nx' };

    expect(sensitiveValues(change({ after, after_sensitive: { json: true, text: true } }))).toEqual([
      'the secret',
      '{"a":["the secret"]}',
      'the first\n  the second\nx',
      'the first',
      'the second',
    ]);
  });

  test('are neither short words nor what everybody reads in the code', () => {
    const plan = {
      ...change({ after: ['short', 'postgres', 'eu-central-1'], after_sensitive: true }),
      configuration: { root_module: { resources: [{ expressions: { region: { constant_value: 'eu-central-1' } } }] } },
    };

    expect(sensitiveValues(plan)).toEqual([]);
  });

  test('are long numbers, too', () => {
    const after = { pin: 98765432101, port: 5432, inJson: '{"pin":12345678901}' };

    expect(sensitiveValues(change({ after, after_sensitive: true }))).toEqual([
      '98765432101',
      '12345678901',
      '{"pin":12345678901}',
    ]);
  });

  test('may be too many to be hidden', () => {
    const after = Array.from({ length: 1_100 }, (_, index) => `${index}${'x'.repeat(1_000)}`);

    expect(sensitiveValues(change({ after, after_sensitive: true }))).toBeUndefined();
  });

  test.each([null, [], 'text', { resource_changes: 1, output_changes: null, variables: [] }])(
    'are none in anything else: %j',
    (json) => {
      expect(sensitiveValues(json)).toEqual([]);
    },
  );
});

function aDataSource() {
  return { values: { a: 'the secret', b: 'everybody knows' }, sensitive_values: { a: true } };
}
