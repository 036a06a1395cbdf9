/** Lists that GitHub returns in pages. */

export const PAGE_SIZE = 100;

/** 1,000 items: GitHub itself considers no more check runs of a suite, and nobody needs more comments than that. */
export const PAGES_LIMIT = 10;

/** All items. Pages count from 1, and a page that is not full is the last one. */
export async function inPages<T>(read: (page: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; page <= PAGES_LIMIT; page += 1) {
    const items = await read(page);
    all.push(...items);
    if (items.length < PAGE_SIZE) break;
  }
  return all;
}
