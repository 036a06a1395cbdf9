import { expect, test } from '@jest/globals';
import { fuzzSettings } from './fuzz-settings.ts';

const PATHS = {
  '/cows': { get: { operationId: 'listCows', parameters: [{ name: 'cursor' }] } },
  '/cows/{id}': { get: { operationId: 'getCow', parameters: [{ name: 'id' }] } },
};

test('known values are used for the parameters of their name, and as texts of bodies', () => {
  const lines = fuzzSettings({ paths: PATHS }, new Map([['id', ['bel"la', 7]]])).split('\n');

  expect(lines).toEqual(
    expect.arrayContaining([
      '[dictionaries.id]',
      String.raw`values = ["bel\"la",7]`,
      'id = { dictionary = "id", probability = 0.8 }',
      '[dictionaries.texts]',
      String.raw`values = ["bel\"la"]`,
    ]),
  );
});

test('an operation with a cursor may refuse one that nobody was given', () => {
  expect(fuzzSettings({ paths: PATHS }, new Map([['id', ['a']]]))).toContain('include-operation-id = ["listCows"]');
  expect(fuzzSettings({ paths: {} }, new Map([['id', ['a']]]))).not.toContain('[[operations]]');
});

test('the parameters of a stream of events may exclude each other', () => {
  const responses = { 200: { content: { 'text/event-stream': {} } } };
  const paths = { '/events': { get: { operationId: 'streamEvents', responses } } };

  const lines = fuzzSettings({ paths }, new Map()).split('\n');

  expect(lines.slice(-3)).toEqual([
    'include-operation-id = ["streamEvents"]',
    'checks.positive_data_acceptance.enabled = false',
    '',
  ]);
});

test('without any known value, nothing is said of values', () => {
  expect(fuzzSettings({ paths: PATHS }, new Map())).not.toContain('dictionaries');
});
