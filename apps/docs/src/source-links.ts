/** Links of pages to files of the repository that are no pages. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

export interface Places {
  /** The folder of the pages. */
  readonly docs: string;
  /** The top of the repository. */
  readonly top: string;
  /** Where the repository's files are read, without a slash at the end; undefined where nobody knows. */
  readonly sources: string | undefined;
}

/** They lead to where the repository's files are read; a page of a site that does not know shows their words alone. */
export function linkSources(markdown: MarkdownRenderer, places: Places): void {
  markdown.core.ruler.push('source-links', ({ tokens, env }) => {
    const page = (env as { readonly path?: string }).path ?? places.docs; // VitePress names the file of the page.
    for (const { children } of tokens) {
      let changed: { tag: string } | undefined;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && changed !== undefined) {
          token.tag = changed.tag;
          changed = undefined;
        }
        const file = token.type === 'link_open' ? sourceOf(token.attrGet('href') ?? '', page, places) : undefined;
        if (file === undefined) continue;
        if (places.sources === undefined) token.attrs = null;
        else token.attrSet('href', `${places.sources}/${file}`);
        changed = { tag: places.sources === undefined ? 'span' : 'a' };
        token.tag = changed.tag;
      }
    }
  });
}

/** From the top of the repository, with the anchor; undefined for a page, an anchor, or another site. */
function sourceOf(href: string, page: string, { docs, top }: Places): string | undefined {
  if (href === '' || /^([a-z]+:|#|\/)/.test(href)) return undefined;
  const [to = '', anchor] = href.split('#');
  const file = path.resolve(path.dirname(page), to);
  if (!existsSync(file)) return undefined;
  const isPage =
    !path.relative(docs, file).startsWith('..') && file.endsWith('.md') && path.basename(file) !== 'README.md';
  if (isPage) return undefined;
  return path.relative(top, file) + (anchor === undefined ? '' : `#${anchor}`);
}
