import { describe, expect, test } from '@jest/globals';
import type { RolloutDetail } from '@nereid/api';
import { rolloutGraph } from './rollout-graph.ts';

type Root = RolloutDetail['deployments'][number];

function aRoot(rootName: string, waitsFor: readonly string[] = [], more: Partial<Root> = {}): Root {
  const path = `deployments/${rootName}?lane=acme/infra/${rootName}`;
  // What is drawn of it.
  const before = { waitsFor: [...waitsFor], waitsForCount: waitsFor.length };
  return { rootName, ...before, path, stand: 'waiting', status: 'queued', ...more } as Root;
}

const drawn = (roots: readonly Root[]) => rolloutGraph(roots, '../../../')?.markup;
const count = (markup: string | undefined, pattern: RegExp) => markup?.match(pattern)?.length ?? 0;

describe('the picture of a rollout', () => {
  test('has a box for each root, and a line to it from each that goes before', () => {
    const markup = drawn([
      aRoot('network', [], { stand: 'done', status: 'succeeded' }),
      aRoot('dns', ['network']),
      aRoot('app', ['network', 'dns']),
    ]);

    expect(count(markup, /<rect\b/g)).toBe(3);
    expect(count(markup, /class="edge"/g)).toBe(3);
    expect(markup).toContain('href="../../../deployments/network?lane=acme/infra/network"');
    expect(markup).toContain('<title>network: Applied</title>');
  });

  test('leaves out roots that wait for none of the others, and says how many', () => {
    const markup = drawn([aRoot('network'), aRoot('dns', ['network']), aRoot('alone'), aRoot('lonely')]);

    expect(count(markup, /<rect\b/g)).toBe(2);
    expect(markup).toContain('2 more roots are not part of this order.');
  });

  test.each<[string, readonly Root[]]>([
    ['no root waits for another', [aRoot('a'), aRoot('b')]],
    [
      'it would have more than a hundred roots',
      Array.from({ length: 101 }, (_, n) => aRoot(`r${n}`, n === 0 ? [] : ['r0'])),
    ],
    [
      'it would have more lines than anybody follows',
      Array.from({ length: 40 }, (_, n) =>
        aRoot(`r${n}`, n < 20 ? [] : Array.from({ length: 20 }, (_one, to) => `r${to}`)),
      ),
    ],
    [
      'its lines would cross too many columns',
      Array.from({ length: 60 }, (_, n) => aRoot(`r${n}`, n < 2 ? ['r0'].slice(0, n) : ['r0', `r${n - 1}`])),
    ],
  ])('is not there where %s', (_where, roots) => {
    expect(drawn(roots)).toBeUndefined();
  });

  test('is the same in whatever order its roots stand', () => {
    const roots = [aRoot('a'), aRoot('b', ['a']), aRoot('c', ['a', 'b']), aRoot('d', ['b'])];
    const boxes = (markup = '') =>
      [...markup.matchAll(/<title>([^:]+)[^]*?x="([^"]+)"\s+y="([^"]+)"/g)].map(([, ...at]) => at).toSorted();

    expect(boxes(drawn(roots.toReversed()))).toEqual(boxes(drawn(roots)));
    expect(boxes(drawn(roots))).toHaveLength(4);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('has a root named %s', (name) => {
    expect(count(drawn([aRoot(name), aRoot('b', [name]), aRoot('c', ['b'])]), /<rect\b/g)).toBe(3);
  });

  test('shows names as text, and cuts long ones', () => {
    const markup = drawn([aRoot('a'), aRoot('<b>-with-a-very-long-name-indeed', ['a'])]);

    expect(markup).toContain('&lt;b&gt;-with-a-very-long-…');
    expect(markup).not.toContain('<b>');
  });
});
