import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EVENT_STREAM, STREAM_EVENTS } from '../events.ts';
import { LOGIN_OPERATIONS } from '../logins.ts';
import { LOG_EVENTS } from '../logs.ts';
import { OPERATIONS } from '../operations.ts';
import { ACTION_OPERATIONS } from '../actions.ts';
import type { DescribedOperation } from './document.ts';
import { openApi } from './open-api.ts';

const document = openApi();
const described = Object.values(document.paths).flatMap((item) => Object.values(item) as DescribedOperation[]); // By method.

test('the document is OpenAPI 3.2, with every reference in place', async () => {
  const validator = new Validator();

  const result = await validator.validate(JSON.stringify(document, undefined, 2));

  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.2');
  const references = Array.from(JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, id]) => id);
  expect(references.filter((id) => document.components.schemas[id ?? ''] === undefined)).toEqual([]);
});

test('it has each operation once, and says what it answers', () => {
  const names = [...Object.keys({ ...OPERATIONS, ...ACTION_OPERATIONS, ...LOGIN_OPERATIONS }), 'streamEvents'];
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(names.sort());
  for (const { operationId, responses } of described) {
    const isOfSession = operationId === 'renewSession' || operationId === 'logOut';
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', isOfSession ? '401' : '404', '429', '503']));
  }
});

test('each parameter says all of itself where it stands', () => {
  const parameters = described.flatMap((operation) => operation.parameters);

  expect(parameters.length).toBeGreaterThan(50);
  expect(JSON.stringify(parameters)).not.toContain('$ref');
});

test('each parameter of a path is in the path', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const parameters = (item.get ?? item.post)?.parameters ?? [];
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(named);
  }
});

test('a parameter says what it stands for, and one with a default may be left out', () => {
  expect(document.paths['/lanes']?.get?.parameters.find(({ name }) => name === 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 200 },
  });
});

test.each([
  [EVENT_STREAM.path, 'ChangeEvent', Object.keys(STREAM_EVENTS)],
  [OPERATIONS.followJobLog.path, 'LogEvent', [...Object.keys(LOG_EVENTS), 'alive']],
])('each event of the stream %s has a name, and a text of JSON whose schema is known', (path, id, names) => {
  const content = document.paths[path]?.get?.responses['200']?.content;

  expect(content).toEqual({ 'text/event-stream': { itemSchema: { $ref: `#/components/schemas/${id}` } } });
  const events = document.components.schemas[id]?.['anyOf'];
  expect(events).toEqual(names.map((name) => ({ ...EVENT, properties: { ...EVENT.properties, event: nameOf(name) } })));
});

test('an operation that changes something says what it takes, and that a person may be refused', () => {
  const review = document.paths['/deployments/{id}/confirm']?.post;

  expect(review?.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ConfirmBody' } } },
  });
  expect(Object.keys(review?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202', '403', '409', '429']));
});

test('a body that may be empty may be left out', () => {
  expect(document.paths['/deployments/{id}/cancel']?.post?.requestBody?.required).toBe(false);
});

const EVENT = {
  type: 'object',
  properties: {
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: expect.any(Object),
    },
    id: { type: 'string' },
  },
  required: ['event', 'data'],
  additionalProperties: false,
};

function nameOf(name: string): object {
  return { type: 'string', const: name };
}
