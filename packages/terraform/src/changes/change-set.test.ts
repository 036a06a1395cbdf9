import { describe, expect, test } from '@jest/globals';
import { changeSetDigest } from './change-set.ts';

interface Change {
  readonly actions: readonly string[];
  readonly [field: string]: unknown;
}

const UPDATE: Change = {
  actions: ['update'],
  before: { size: 1, tags: { at: 'noon', team: 'sre' } },
  after: { size: 2, tags: { at: 'noon', team: 'sre' } },
  after_unknown: { tags: {} },
  before_sensitive: { tags: {} },
  after_sensitive: { tags: {} },
};

function aResource(name: string, change: Partial<Change> = {}, more: object = {}) {
  const about = { address: `aws_instance.${name}`, mode: 'managed', type: 'aws_instance', name, provider_name: 'aws' };
  return { ...about, change: { ...UPDATE, ...change }, ...more };
}

function digest(resources: readonly object[], more: object = {}, volatile: readonly string[] = []) {
  const plan = { format_version: '1.2', terraform_version: '1.11.4', complete: true, errored: false };
  return changeSetDigest(JSON.stringify({ ...plan, resource_changes: resources, ...more }), volatile);
}

const first = digest([aResource('a'), aResource('b')]);

describe('two plans change the same', () => {
  test.each([
    ['in another order', digest([aResource('b'), aResource('a')])],
    ['made at another time', digest([aResource('a'), aResource('b')], { timestamp: 'later' })],
    [
      'while something else has drifted',
      digest([aResource('a'), aResource('b')], { resource_drift: [aResource('c')] }),
    ],
    ['beside a resource that stays', digest([aResource('a'), aResource('b'), aResource('c', { actions: ['no-op'] })])],
    [
      'with keys in another order',
      digest([aResource('a', Object.fromEntries(Object.entries(UPDATE).toReversed())), aResource('b')]),
    ],
  ])('%s', (_how, second) => {
    expect(second).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
  });
});

describe('two plans do not change the same', () => {
  test.each([
    ['fewer resources', digest([aResource('a')])],
    ['another resource', digest([aResource('a'), aResource('c')])],
    ['another action', digest([aResource('a'), aResource('b', { actions: ['delete', 'create'] })])],
    ['another value', digest([aResource('a'), aResource('b', { after: { size: 3 } })])],
    ['another value before', digest([aResource('a'), aResource('b', { before: { size: 0 } })])],
    ['another reason to replace', digest([aResource('a'), aResource('b', { replace_paths: [['size']] })])],
    ['a move', digest([aResource('a'), aResource('b', {}, { previous_address: 'aws_instance.old' })])],
    [
      'a move alone',
      digest([aResource('a'), aResource('b'), aResource('c', { actions: ['no-op'] }, { previous_address: 'x' })]),
    ],
    ['an import', digest([aResource('a'), aResource('b', { importing: { id: 'i-1' } })])],
    [
      'an output',
      digest([aResource('a'), aResource('b')], {
        output_changes: { url: { actions: ['create'], before: null, after: 'x', after_unknown: false } },
      }),
    ],
    ['a list that is one value longer', digest([aResource('a', { after: { size: [2, 3] } }), aResource('b')])],
  ])('with %s', (_what, second) => {
    expect(second).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
  });
});

describe('a person looks again at', () => {
  const module = (resource: object) => ({
    configuration: { root_module: { module_calls: { m: { module: { resources: [resource] } } } } },
  });

  test.each([
    ['a value that is known after the apply', digest([aResource('a', { after_unknown: { id: true } })])],
    ['one within others', digest([aResource('a', { after_unknown: { tags: [{ x: true }] } })])],
    ['a value that is secret', digest([aResource('a', { after_sensitive: { password: true } })])],
    ['a value that was secret', digest([aResource('a', { before_sensitive: true })])],
    [
      'an output that is known later',
      digest([], { output_changes: { x: { actions: ['create'], after_unknown: true } } }),
    ],
    ['a source that is read at the apply', digest([aResource('a', { actions: ['read'] })])],
    ['a provisioner', digest([aResource('a')], module({ mode: 'managed', provisioners: [{ type: 'local-exec' }] }))],
    ['an external source', digest([aResource('a')], module({ mode: 'data', type: 'external' }))],
    ['an action', digest([aResource('a')], { action_invocations: [{}] })],
    ['a change that is deferred', digest([aResource('a')], { deferred_changes: [{}] })],
    ['an incomplete plan', digest([aResource('a')], { complete: false })],
    ['a part of a newer release', digest([aResource('a')], { spells: ['x'] })],
    ['a field of a newer release', digest([aResource('a', { magic: 1 })])],
    ['a resource of one', digest([aResource('a', {}, { magic: 1 })])],
    ['something else than a plan', changeSetDigest('[]', [])],
    ['something else than JSON', changeSetDigest('{', [])],
  ])('%s', (_what, found) => {
    expect(found).toBeUndefined();
  });
});

describe('volatile attributes', () => {
  const volatile = ['aws_instance.tags.at', 'aws_instance.etag'];
  const at = (time: string) => ({ before: { size: 1, tags: { at: time } }, after: { size: 2, tags: { at: time } } });

  test('make no difference, known or not', () => {
    const one = digest([aResource('a', at('noon'))], {}, volatile);
    const unknown = { ...at('night'), after_unknown: { etag: true } };

    expect(one).toBeDefined();
    expect(digest([aResource('a', unknown)], {}, volatile)).toBe(one);
  });

  test('are those of one type', () => {
    const others = ['aws_db_instance.tags.at'];

    expect(digest([aResource('a', at('noon'))], {}, others)).not.toBe(
      digest([aResource('a', at('night'))], {}, others),
    );
  });

  test('are part of what is compared: under another list, nothing is equal', () => {
    expect(digest([aResource('a')], {}, volatile)).not.toBe(digest([aResource('a')]));
  });
});
