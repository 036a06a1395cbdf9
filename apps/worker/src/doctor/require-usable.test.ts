/** What keeps a control worker from starting of an App that a real server has. */
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { Secret } from '@nereid/config';
import { makeAppKey, startGitHub, type GitHubOptions } from '@nereid/github-stand-in';
import { folderOfEachTest } from '@nereid/test-kit/folders';
import { pino } from 'pino';
import { requireUsable } from './require-usable.ts';

const APP_ID = 4711;
const [{ privateKey }, { privateKey: another }] = [makeAppKey(), makeAppKey()];

const folder = folderOfEachTest();
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

test('a key that GitHub refuses does not: what is open goes on, and the log says so', async () => {
  const { starts, log } = await aWorker({}, another);

  await starts();

  expect(log()).toMatch(/"GITHUB_APP_PRIVATE_KEY".*GitHub refused GET App with status 401.*needs is away/);
  expect(log()).not.toContain(another.slice(100, 140));
});

test('a permission that it lacks does', async () => {
  const { starts } = await aWorker({ permissions: { metadata: 'read' } }, privateKey);

  await expect(starts()).rejects.toThrow('found it without Checks: write');
});

async function aWorker(app: Partial<GitHubOptions['app']>, key: string) {
  const github = await startGitHub({
    dataDir: join(folder, 'github'),
    app: { id: APP_ID, slug: 'nereid', key: privateKey, ...app },
    webhook: { url: 'http://127.0.0.1:9/events', secret: 'a secret of the webhook' },
    checkAnswers: true,
  });
  endings.push(() => github.close());
  const url = `file:${join(folder, 'storage')}`;
  type Config = Parameters<typeof requireUsable>[0];
  const config = {
    github: { apiUrl: github.apiUrl, app: { id: APP_ID, privateKey: new Secret(key) } },
    roles: ['control'],
    server: { current: () => ({ audit: { to: [] } }) },
    storage: { deployments: url, plans: url, logs: url },
    workDir: folder,
  } as unknown as Config; // Of the server's file, only the audit trail is read.
  let text = '';
  const logger = pino({}, { write: (line) => (text += line) });
  return { starts: () => requireUsable(config, logger), log: () => text };
}
