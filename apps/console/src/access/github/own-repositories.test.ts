import { expect, test } from '@jest/globals';
import { listOwnRepositories } from './own-repositories.ts';
import type { PersonApi } from './person-api.ts';

const ACME = new Set(['acme']);

/** A GitHub whose installations have so many repositories, by owner. */
function aGitHub(sizes: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const owners = Object.keys(sizes);
  const api: PersonApi = {
    get(path, schema) {
      asked.push(path);
      const { pathname, searchParams } = new URL(path, 'https://api.github.example');
      const from = 100 * (Number(searchParams.get('page')) - 1);
      const id = /installations\/(\d+)/.exec(pathname)?.[1];
      const owner = owners[Number(id)] ?? '';
      const names = Array.from({ length: sizes[owner] ?? 0 }, (_, index) => ({ full_name: `${owner}/R${index}` }));
      const installations = owners.map((login, index) => ({ id: index, account: { login } }));
      const answer =
        id === undefined
          ? { total_count: owners.length, installations: installations.slice(from, from + 100) }
          : { total_count: names.length, repositories: names.slice(from, from + 100) };
      return Promise.resolve(schema.parse(answer));
    },
  };
  return { api, asked };
}

test('all pages are read, of the owners that were asked for, and names have no case', async () => {
  const { api, asked } = aGitHub({ Acme: 250, others: 3 });

  const { names, isCut } = await listOwnRepositories(api, ACME);

  expect([names.size, names.has('acme/r249'), isCut]).toEqual([250, true, false]);
  expect(asked).toEqual([
    '/user/installations?per_page=100&page=1',
    ...[1, 2, 3].map((page) => `/user/installations/0/repositories?per_page=100&page=${page}`),
  ]);
});

test('a list without end is cut, which is said', async () => {
  const { api, asked } = aGitHub({ acme: 20_000 });

  const { names, isCut } = await listOwnRepositories(api, ACME);

  expect([names.size, isCut, asked.length]).toEqual([10_000, true, 101]);
});

test('people who were let in nowhere have none', async () => {
  const { api } = aGitHub({});

  expect(await listOwnRepositories(api, ACME)).toEqual({ names: new Set(), isCut: false });
});
