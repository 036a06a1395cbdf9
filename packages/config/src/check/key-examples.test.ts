/** What editors offer is what we accept. */
import Ajv from 'ajv/dist/2020.js';
import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { readRepositoryConfig } from '../repository/read-repository-config.ts';
import { policyWith } from '../server/repository-policy/policy.fixture.ts';
import { readServerConfig } from '../server/read-server-config.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { KEY_EXAMPLES } from './key-examples.ts';

type Part = Readonly<Record<string, unknown>>;

const partsOf = (value: unknown): readonly Part[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Part, ...Object.values(value).flatMap(partsOf)]; // Every object in a JSON Schema.
};

const withExamples = (name: 'server' | 'repository') =>
  partsOf(jsonSchemaOf(name)).filter(({ examples }) => Array.isArray(examples));

test.each(['server', 'repository'] as const)('every example of the schema (%s) is valid where it stands', (name) => {
  const ajv = new Ajv.default();
  const parts = withExamples(name);

  expect(parts.length).toBeGreaterThan(5);
  for (const { $id: _id, ...part } of parts)
    for (const example of part['examples'] as readonly unknown[])
      // Checked above.
      expect([example, ajv.validate(part, example)]).toEqual([example, true]);
});

const fileExampleOf = (name: 'server' | 'repository') =>
  stringify((jsonSchemaOf(name) as { examples: readonly unknown[] }).examples[0]); // As it is made.

test("the example of a whole server's file has no problems", () => {
  expect(readServerConfig(fileExampleOf('server'))).toMatchObject({ kind: 'ok', warnings: [] });
});

test("the example of a whole repository's file has no problems", () => {
  const text = fileExampleOf('repository');
  const policy = policyWith('repositories: [{ match: acme/* }]');

  expect(readRepositoryConfig({ file: 'nereid.yaml', text, policy })).toMatchObject({ kind: 'ok', warnings: [] });
});

test('no example is of a key that neither file has', () => {
  const used = new Set([...withExamples('server'), ...withExamples('repository')].map(({ examples }) => examples));

  expect(Object.entries(KEY_EXAMPLES).flatMap(([key, examples]) => (used.has(examples) ? [] : [key]))).toEqual([]);
});

test('each schema has a name of its own, by which another can refer to it', () => {
  expect(jsonSchemaOf('server')).toMatchObject({ $id: 'urn:nereid:schema:server:1' });
  expect(jsonSchemaOf('repository')).toMatchObject({ $id: 'urn:nereid:schema:repository:1' });
});
