/** What it costs to ask GitHub, and what it says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeAppKey, startGitHub, type GitHubStandIn } from '@nereid/github-stand-in';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import type { KnownVisitor } from '../../login/visitor/visitor.ts';
import { AccessUnknownError } from '../access-unknown.ts';
import { createRepositoryAccess, type Named } from '../repository-access.ts';
import { createAskGitHub } from './ask-github.ts';

const CLIENT = {
  clientId: 'Iv23liNereid',
  clientSecret: 'secret',
  redirectUri: 'https://console.example/login/callback',
};
const { publicKey } = makeAppKey();

/** `rea` was let into all of them; `mallory` into none of the company's. */
const OWN: readonly Named[] = Array.from({ length: 5 }, (_, index) => ({ owner: 'acme', name: `r${index}` }));
const OPEN = { owner: 'acme', name: 'open' };
const SECRET = { owner: 'acme', name: 'secret' };
const ALL = [...OWN, OPEN, SECRET];

const folder = folderOfThisFile();
let github: GitHubStandIn;
let nowMs = 0;

beforeAll(async () => {
  github = await startGitHub({
    dataDir: folder,
    app: { id: 4711, slug: 'nereid', key: publicKey },
    oauth: CLIENT,
  });
  const common = { owner: 'acme', files: { a: '' } };
  for (const { name } of OWN) await github.createRepository({ ...common, name, collaborators: { rea: 'read' } });
  await github.createRepository({ ...common, name: 'open', collaborators: {}, private: false });
  await github.createRepository({ ...common, name: 'secret', collaborators: { ada: 'admin' } });
  await github.createRepository({ ...common, owner: 'others', name: 'x', collaborators: { mallory: 'admin' } });
});
afterAll(() => github.close());
beforeEach(() => {
  github.resetTraffic();
  nowMs += 3_600_001;
});

describe('a person', () => {
  test('sees what they were let into and what everybody sees, for two requests and one for each other repository', async () => {
    const seen = await asking()(await personCalled('rea'), ALL);

    expect(seen.slice(0, OWN.length).every(({ sees }) => sees === 'as-member')).toBe(true);
    expect(seen.slice(OWN.length).map(({ sees }) => sees)).toEqual(['as-everybody', 'no']);
    expect(requests()).toEqual({ 'GET /user/installations': 1, [LISTED]: 1, [SINGLE]: 2 });
  });

  test('is no member of what everybody sees', async () => {
    const mallory = await personCalled('mallory');
    const { isMemberOfAny, maySee } = createRepositoryAccess({ askAccess: asking(), clock: { now: () => nowMs } });

    expect([await maySee(mallory, OPEN), await isMemberOfAny(mallory, ALL)]).toEqual([true, false]);
    expect(await isMemberOfAny(await personCalled('rea'), ALL)).toBe(true);
  });

  test('who keeps a page open all day is not locked out, and has most of their budget left', async () => {
    const rea = await personCalled('rea');
    const { seenBy } = createRepositoryAccess({ askAccess: asking(), clock: { now: () => nowMs } });

    for (let minutes = 0; minutes < 120; minutes += 5) {
      expect((await seenBy(rea, ALL))({ owner: 'acme', name: 'r4' })).toBe(true);
      nowMs += 5 * 60_000 + 1;
    }

    const all = Object.values(requests()).reduce((sum, count) => sum + count, 0);
    expect(all / 2).toBeLessThan(100);
  });

  test('is asked about a few repositories one by one', async () => {
    await asking()(await personCalled('rea'), [OPEN, SECRET]);

    expect(requests()).toEqual({ [SINGLE]: 2 });
  });

  test('is let into a repository a moment after they were let in, and out of it', async () => {
    const ask = asking();
    const ada = await personCalled('ada');
    const last = async () => (await ask(ada, ALL)).at(0)?.sees;
    expect(await last()).toBe('no');

    github.setRole('acme/r0', 'ada', 'read');
    expect(await last()).toBe('as-member');

    github.setRole('acme/r0', 'ada', undefined);
    expect(await last()).toBe('no');
  });

  test('who looks at more than there are is shown no more of what everybody sees, and still all of their own', async () => {
    const ask = asking();
    const rea = await personCalled('rea');
    const many = Array.from({ length: 1_600 }, (_, index) => ({ owner: 'acme', name: `made-up-${index}` }));
    await ask(rea, many);

    const [own, open] = [await ask(rea, OWN), await ask(rea, [OPEN])];

    expect(own.every(({ sees }) => sees === 'as-member')).toBe(true);
    expect(open).toEqual([{ sees: 'no' }]);
    expect(requests()[SINGLE]).toBe(1_500);
  });
});

test.each(['/user/installations', '/user/installations/{installation_id}/repositories', '/repos/{owner}/{repo}'])(
  'while GitHub does not answer at %s, nobody knows',
  async (route) => {
    const rea = await personCalled('rea');
    const pattern = new RegExp(`^GET ${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    github.faults.add({ kind: 'failure', status: 502, route: pattern, times: 1 });

    await expect(asking()(rea, ALL)).rejects.toThrow(AccessUnknownError);
  },
);

const LISTED = 'GET /user/installations/{installation_id}/repositories';
const SINGLE = 'GET /repos/{owner}/{repo}';

function asking() {
  return createAskGitHub(github.apiUrl, { now: () => nowMs });
}

function requests(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { route, count } of github.requestCounts()) counts[route] = (counts[route] ?? 0) + count;
  return counts;
}

async function personCalled(login: string): Promise<KnownVisitor> {
  const common = { client_id: CLIENT.clientId, redirect_uri: CLIENT.redirectUri };
  const query = new URLSearchParams({ ...common, state: 's' });
  const agreed = await fetch(`${github.url}/login/oauth/authorized?${query.toString()}`, {
    headers: { cookie: `who=${login}` },
    redirect: 'manual',
  });
  const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const body = new URLSearchParams({ ...common, client_secret: CLIENT.clientSecret, code });
  const answer = await fetch(`${github.url}/login/oauth/access_token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string }; // As GitHub answers.
  return {
    kind: 'person',
    person: { login, id: github.account(login).id },
    proof: { mode: 'github', token },
    by: 'browser',
  };
}
