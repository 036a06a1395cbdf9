import { describe, expect, test } from '@jest/globals';
import type { RolloutDetail } from '@nereid/api';
import { rolloutGraph } from './rollout-graph.ts';

type Root = RolloutDetail['deployments'][number];

function aRoot(rootName: string, waitsFor: readonly string[] = [], more: Partial<Root> = {}): Root {
  const path = `deployments/${rootName}?lane=acme/infra/${rootName}`;
  // What is drawn of it.
  return { rootName, waitsFor: [...waitsFor], path, stand: 'waiting', status: 'queued', ...more } as Root;
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
  ])('is not there where %s', (_where, roots) => {
    expect(drawn(roots)).toBeUndefined();
  });

  test('shows names as text, and cuts long ones', () => {
    const markup = drawn([aRoot('a'), aRoot('<b>-with-a-very-long-name-indeed', ['a'])]);

    expect(markup).toContain('&lt;b&gt;-with-a-very-long-…');
    expect(markup).not.toContain('<b>');
  });
});
