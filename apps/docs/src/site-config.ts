import path from 'node:path';
import type { UserConfig } from 'vitepress';
import { anchorOf } from './anchor.ts';
import { READING_PATH } from './reading-path.ts';
import { linkSources } from './source-links.ts';

export interface SiteOptions {
  /** Where the repository's files are read. Without it, links to sources are plain text. */
  readonly sources?: string;
  /** Where the site stands below its address, like `/nereid/`. Default: at its top. */
  readonly base?: string;
}

const DOCS = path.dirname(import.meta.dirname);
const TOP = path.join(DOCS, '../..');

/** Nothing is fetched when a page is read: no fonts, no scripts of others, and search has its index in the site. */
export function siteConfig({ sources, base = '/' }: SiteOptions = {}): UserConfig {
  return {
    title: 'Nereid',
    description:
      'Deploys Terraform from GitHub: a plan of exactly the merged commit, a Confirm, an apply of exactly that plan',
    lang: 'en',
    base,
    // No icon, and no request for one.
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    srcExclude: ['README.md'],
    outDir: path.join(TOP, 'dist/docs'),
    cacheDir: path.join(TOP, 'node_modules/.cache/vitepress'),
    cleanUrls: true,
    // Of a dead link, the build fails.
    ignoreDeadLinks: false,
    markdown: {
      anchor: { slugify: anchorOf },
      config: (markdown) => {
        linkSources(markdown, { docs: DOCS, top: TOP, sources });
      },
    },
    themeConfig: {
      search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
      sidebar: READING_PATH.map(({ title, pages }) => ({
        text: title,
        collapsed: title.startsWith('Reference'),
        items: pages.map((page) => ({ text: page.title, link: `/${page.page.replace(/\.md$/, '')}` })),
      })),
      outline: [2, 3],
    },
  };
}

/** People who search for what they see want the page of symptoms first. VitePress takes its text into the page. */
function boostDocument(page: string): number {
  return page.includes('/by-symptom') ? 2 : 1;
}
