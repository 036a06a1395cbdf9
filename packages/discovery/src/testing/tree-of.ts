/** A revision that is only in memory. */
import { createHash } from 'node:crypto';
import type { RevisionTree } from '@nereid/git';
import type { TestFiles as GitFiles } from '@nereid/git/testing';

export type TestFiles = Readonly<Record<string, GitFiles[string] | { readonly submodule: string }>>;

export interface CountingTree extends RevisionTree {
  /** Every path whose content was asked for. */
  readonly read: string[];
}

export function treeOf(files: TestFiles): CountingTree {
  const read: string[] = [];
  const entries = Object.entries(files).flatMap(([path, content]) => {
    if (content === null) return [];
    const [kind, text] = kindAndText(content);
    return [{ path, kind, text, blob: createHash('sha1').update(text).digest('hex') }];
  });
  return {
    read,
    listing: async () =>
      Promise.resolve(entries.map(({ path, blob, kind }) => `${MODES[kind]} ${blob}\t${path}\0`).join('')),
    contents: async (blobs) => {
      const found = entries.filter(({ blob }) => blobs.includes(blob));
      read.push(...new Set(found.map(({ path }) => path)));
      return Promise.resolve(new Map(found.map(({ blob, text }) => [blob, { kind: 'text', text } as const])));
    },
    fetch: async () => Promise.resolve(),
  };
}

const MODES = { file: '100644 blob', link: '120000 blob', submodule: '160000 commit' } as const;

function kindAndText(content: NonNullable<TestFiles[string]>) {
  if (typeof content === 'string') return ['file', content] as const;
  return 'link' in content ? (['link', content.link] as const) : (['submodule', content.submodule] as const);
}
