import { expect, test } from '@jest/globals';
import { API_PATH } from '@nereid/api';
import { openApi } from '@nereid/api/open-api';
import { aConsole } from '../testing.ts';

test('the API has its document, for programs and for people', async () => {
  const console = await aConsole({ isLocal: true });

  expect(await (await console.get(`${API_PATH}/openapi.json`)).json()).toEqual(openApi());

  const page = await (await console.get('/api')).text();
  expect(page).toContain('<code>POST /deployments/{id}/confirm</code>');
  const sections = new Set(Array.from(page.matchAll(/ id="([\w-]+)"/g), ([, id]) => id));
  for (const [, to] of page.matchAll(/href="#([\w-]+)"/g)) expect(sections).toContain(to);
});
