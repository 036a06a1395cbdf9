/** The way from the page of a set-up to GitHub and back. */
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { aFolder, aGitHub, agree, answersAt, filesIn, makeApp, setUpWith } from '../testing.ts';

describe('who comes to the page of a set-up', () => {
  test('without the state of the set-up is sent away, and the set-up goes on', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    const { status } = await setUpWith([folder, ...answersAt(github)], async (address) => {
      const back = new URL(await agree(address));
      const [right, strange] = [back.href, new URL(back)];
      strange.searchParams.set('state', 'another');
      const none = new URL(back);
      none.searchParams.delete('state');
      const bad = new URL(back);
      bad.searchParams.set('code', '../installations');
      expect([await statusOf(strange), await statusOf(none), await statusOf(bad)]).toEqual([403, 403, 400]);
      expect(await statusOf(new URL('/', address))).toBe(404);
      const posted = await fetch(address, { method: 'POST' });
      expect(posted.status).toBe(405);
      await fetch(right);
    });

    expect(status).toBe(0);
  });

  test('by another name of this machine is sent away', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    await setUpWith([folder, ...answersAt(github)], async (address) => {
      const { port, pathname } = new URL(address);
      expect(await statusByName(Number(port), pathname, 'rebound.example.org')).toBe(403);
      await makeApp(address);
    });
  });

  test('a second time with the same answer gets nothing', async () => {
    const github = await aGitHub();

    await setUpWith([aFolder(), ...answersAt(github)], async (address) => {
      const back = await agree(address);
      const [first, second] = await Promise.all([
        fetch(back, { redirect: 'manual' }),
        fetch(back, { redirect: 'manual' }),
      ]);
      expect([first.status, second.status].toSorted()).toEqual([303, 409]);
      await fetch(new URL('/end', address));
    });
  });

  test('sees no secret, and a page that lets nothing in', async () => {
    const github = await aGitHub();

    await setUpWith([aFolder(), ...answersAt(github)], async (address) => {
      const response = await fetch(address);
      expect(response.headers.get('content-security-policy')).toMatch(
        new RegExp(`^default-src 'none'; .*form-action ${github.url};`),
      );
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      await makeApp(address);
    });
  });
});

describe('when GitHub does not give the App', () => {
  test('for a code that it does not know, the terminal and the browser say so', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];

    let page = '';
    const { status, stderr } = await setUpWith([folder, ...answersAt(github)], async (address) => {
      const back = new URL(await agree(address));
      back.searchParams.set('code', 'f'.repeat(40));
      page = await (await fetch(back)).text();
    });

    const sentence = `GitHub does not know it: it was used already, or is older than an hour; the App is there without its secrets: delete it at ${github.url}/organizations/acme/settings/apps`;
    expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(page).toContain('There is no App');
    expect(existsSync(join(folder, 'github-app.json'))).toBe(false);
    expect(stderr).not.toContain('f'.repeat(40));
  });

  test('at the first try, it asks again', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    github.faults.add({ kind: 'failure', status: 502, route: /conversions$/, times: 1 });

    const { status } = await setUpWith([folder, ...answersAt(github)], makeApp);

    expect(status).toBe(0);
  });

  test('because its answer was lost, it says what is left to do, exit code 5', async () => {
    const [github, folder] = [await aGitHub(), aFolder()];
    github.faults.add({ kind: 'lost answer', route: /conversions$/ });

    const { status, stderr } = await setUpWith([folder, ...answersAt(github)], makeApp);

    expect([status, stderr]).toEqual([5, expect.stringMatching(/the App is there without its secrets: delete it at/)]);
    expect(filesIn(folder)['github-app-private-key']).toBeUndefined();
  });

  test('because nobody agreed in time, it says so, exit code 7', async () => {
    const github = await aGitHub();

    const args = [aFolder(), ...answersAt(github), '--timeout', '1s'];
    const { status, stderr } = await setUpWith(args, () => Promise.resolve());

    expect([status, stderr]).toEqual([7, 'no end within 1s: nobody made the App on GitHub; run nereid setup again\n']);
  });
});

async function statusOf(address: URL): Promise<number> {
  return (await fetch(address, { redirect: 'manual' })).status;
}

/** fetch sets the name itself. */
function statusByName(port: number, path: string, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host: name } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}
