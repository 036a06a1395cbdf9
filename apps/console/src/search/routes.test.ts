import { expect, test } from '@jest/globals';
import { aConsole, RUNNING } from '../testing.ts';

test('a root, its merge and its deployment are found from any page', async () => {
  const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });
  const search = async (words: string) => (await console.get(`/search?q=${encodeURIComponent(words)}`)).text();

  const page = await search('network');

  expect(page).toContain('href="lanes/acme/infra/network"');
  expect(page).toContain('value="network"');
  expect(page).toContain('Searches all roots, and the merges and deployments of the last days');
  expect(await search(RUNNING.revision.sha.slice(0, 7))).toContain(
    `href="rollouts/acme/infra/${RUNNING.revision.sha}"`,
  );
  expect(await search(RUNNING.id)).toContain(`<code>${RUNNING.id}</code>`);
  expect(await (await console.get('/lanes')).text()).toContain('action="search"');
});

test('what was typed is text, and a list of it is nothing', async () => {
  const console = await aConsole({ isLocal: true });

  const page = await (await console.get(`/search?q=${encodeURIComponent('"><script>')}`)).text();

  expect(page).not.toContain('"><script>');
  expect(page).toContain('Nothing that you may see matches');
  expect(await (await console.get('/search?q[]=network')).text()).toContain('Type a part of the name');
});
