/**
 * The repositories of the App's installations to which GitHub lets a person in, a hundred with each request. What they see only
 * because everybody does is not among them.
 */
import pMap from 'p-map';
import { z } from 'zod';
import type { PersonApi } from './person-api.ts';

export interface OwnRepositories {
  /** `owner/name` in lower case. */
  readonly names: ReadonlySet<string>;
  /** There may be more. */
  readonly isCut: boolean;
}

/** The most that GitHub takes. */
const PAGE_SIZE = 100;

/** A person is rarely in more than a few organisations. */
const INSTALLATION_PAGES_LIMIT = 3;

/** Ten thousand repositories, which GitHub lists within a few seconds. */
const PAGES_LIMIT = 100;

/** GitHub asks for less than a hundred at once. */
const AT_ONCE = 10;

const Installations = z.object({
  total_count: z.int(),
  installations: z.array(z.object({ id: z.int(), account: z.object({ login: z.string() }).nullable() })),
});

const Repositories = z.object({ total_count: z.int(), repositories: z.array(z.object({ full_name: z.string() })) });

/** Repositories of these owners, in lower case. Throws an `AccessUnknownError` when GitHub does not say. */
export async function listOwnRepositories(api: PersonApi, owners: ReadonlySet<string>): Promise<OwnRepositories> {
  const page = <S extends z.ZodType>(path: string, number: number, schema: S) =>
    api.get(`${path}?per_page=${PAGE_SIZE}&page=${number}`, schema);

  const ids: number[] = [];
  let isCut = false;
  for (let number = 1, pages = 1; number <= pages; number += 1) {
    const found = await page('/user/installations', number, Installations);
    for (const { id, account } of found?.installations ?? [])
      if (account === null || owners.has(account.login.toLowerCase())) ids.push(id);
    const all = pagesOf(found?.total_count);
    pages = Math.min(all, INSTALLATION_PAGES_LIMIT);
    isCut ||= all > pages;
  }

  const names = new Set<string>();
  let left = PAGES_LIMIT;
  for (const id of ids) {
    const path = `/user/installations/${id}/repositories`;
    const first = await page(path, 1, Repositories);
    const all = pagesOf(first?.total_count) - 1;
    left -= 1;
    const more = Array.from({ length: Math.max(0, Math.min(all, left)) }, (_, index) => index + 2);
    const others = await pMap(more, (number) => page(path, number, Repositories), { concurrency: AT_ONCE });
    left -= more.length;
    isCut ||= all > more.length;
    for (const each of [first, ...others])
      for (const { full_name: name } of each?.repositories ?? []) names.add(name.toLowerCase());
  }
  return { names, isCut };
}

function pagesOf(total = 0): number {
  return Math.ceil(total / PAGE_SIZE);
}
