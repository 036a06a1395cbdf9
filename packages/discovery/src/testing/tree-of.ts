/** A revision that is only in memory. */
import { createHash } from 'node:crypto';
import type { RevisionTree } from '@nereid/git';
import type { TestFiles } from '@nereid/git/testing';

export interface CountingTree extends RevisionTree {
  /** Every path whose content was asked for. */
  readonly read: string[];
}

export function treeOf(files: TestFiles): CountingTree {
  const read: string[] = [];
  const entries = Object.entries(files).flatMap(([path, content]) => {
    if (content === null) return [];
    const [kind, text] = typeof content === 'string' ? (['file', content] as const) : (['link', content.link] as const);
    return [{ path, kind, text, blob: createHash('sha1').update(text).digest('hex') }];
  });
  return {
    read,
    listFiles: async () => Promise.resolve(entries.map(({ path, blob, kind }) => ({ path, blob, kind }))),
    readFiles: async (paths) => {
      read.push(...paths);
      const found = entries.filter(({ path }) => paths.includes(path));
      return Promise.resolve(new Map(found.map(({ path, text }) => [path, { kind: 'text', text } as const])));
    },
  };
}
