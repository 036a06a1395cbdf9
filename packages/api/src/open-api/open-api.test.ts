import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EVENT_STREAM } from '../events.ts';
import { OPERATIONS } from '../operations.ts';
import { openApi } from './open-api.ts';

const document = openApi();
const described = Object.values(document.paths).map(({ get }) => get);

test('the document is OpenAPI 3.1, with every reference in place', async () => {
  const validator = new Validator();

  const result = await validator.validate(JSON.stringify(document, undefined, 2));

  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const references = Array.from(JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, id]) => id);
  expect(references.filter((id) => document.components.schemas[id ?? ''] === undefined)).toEqual([]);
});

test('it has each operation once, and says what it answers', () => {
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(OPERATIONS), 'streamEvents'].sort(),
  );
  for (const { responses } of described)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '404', '503']));
});

test('each parameter of a path is in the path', () => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    expect(get.parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(named);
  }
});

test('a parameter says what it stands for, and one with a default may be left out', () => {
  expect(document.paths['/lanes']?.get.parameters.find(({ name }) => name === 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 200 },
  });
});

test('the stream of events is a text, and each event has the schema of its data', () => {
  const content = document.paths[EVENT_STREAM.path]?.get.responses['200']?.content;

  expect(Object.keys(content ?? {})).toEqual(['text/event-stream']);
  expect(Object.keys(content?.['text/event-stream']?.['x-events'] ?? {})).toEqual(Object.keys(EVENT_STREAM.events));
});
