/** The way to the App, as a browser goes it: policies of pages, forms to other sites, and the way back. */
import { expect, test } from '@jest/globals';
import { describeInBrowser } from '@nereid/console/in-browser';
import { aFolder, aGitHub, answersAt, filesIn, setUpWith } from './testing.ts';

describeInBrowser('in a browser', (open) => {
  test('a person goes on to GitHub, agrees, and comes back to the last page', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    let shown: readonly unknown[] = [];
    const { status } = await setUpWith([folder, ...answersAt(github)], async (address) => {
      const { page, complaints } = await open(address);
      await page.getByRole('button').click();
      await page.getByLabel('GitHub App name').fill('Nereid of acme');
      await page.getByRole('button', { name: 'Create GitHub App' }).click();
      await page.getByText('The App is there').waitFor();
      const link = await page.getByText('install it').getAttribute('href');
      shown = [new URL(page.url()).pathname, link, complaints];
    });

    expect(status).toBe(0);
    // The code stays in no address.
    expect(shown).toEqual(['/end', `${github.url}/apps/nereid-of-acme/installations/new`, []]);
    expect(filesIn(folder)['github-app.json']).toContain('/apps/nereid-of-acme');
  });
});
