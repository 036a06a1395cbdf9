import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createMarkdownRenderer, disposeMdItInstance, type MarkdownRenderer } from 'vitepress';
import { linkSources } from './source-links.ts';

const TOP = path.join(import.meta.dirname, '../../..');
const PLACES = { docs: path.join(TOP, 'apps/docs'), top: TOP };
const SOURCES = 'https://github.com/acme/nereid/blob/abc';
const PAGE = { path: path.join(TOP, 'apps/docs/operate/stop.md'), relativePath: 'operate/stop.md', cleanUrls: true };

// VitePress keeps the first one that it made.
afterEach(() => disposeMdItInstance());

test('a link to a source leads to where sources are read', async () => {
  expect(await rendered('[rules](../../../packages/domain/README.md#rules)', SOURCES)).toContain(
    `href="${SOURCES}/packages/domain/README.md#rules"`,
  );
});

test('where nobody knows that place, its words are left', async () => {
  expect(await rendered('see [the _list_](../../worker/src/main.ts) there')).toContain(
    '<p>see <span>the <em>list</em></span> there</p>',
  );
});

test.each(['runbooks.md#stuck', '#stuck', 'https://example.org/a', '../guides/temporal.md'])(
  'a link to %s stays as it is',
  async (href) => {
    expect(await rendered(`[there](${href})`, SOURCES)).toMatch(/<a href="(?!https:\/\/github)[^"]+"[^>]*>there<\/a>/);
  },
);

async function rendered(text: string, sources?: string): Promise<string> {
  const config = (markdown: MarkdownRenderer) => {
    linkSources(markdown, { ...PLACES, sources });
  };
  const markdown = await createMarkdownRenderer(PLACES.docs, { config });
  return markdown.renderAsync(text, PAGE);
}
