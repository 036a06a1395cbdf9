import { ok, type Answer } from './answer.ts';
import type { Call } from './route.ts';

/** GitHub's own default and limit. */
const DEFAULT_PER_PAGE = 30;
const MOST_PER_PAGE = 100;

/** One page of a list, with the links to the others in the `Link` header. `present` sees only this page's items. */
export async function paged<T>(
  call: Call,
  items: readonly T[],
  present: (item: T) => unknown,
  wrap: (page: unknown[]) => unknown = (page) => page,
): Promise<Answer> {
  const perPage = Math.min(Math.max(Number(call.query['per_page'] ?? DEFAULT_PER_PAGE), 1), MOST_PER_PAGE);
  const page = Math.max(Number(call.query['page'] ?? 1), 1);
  const shown = items.slice((page - 1) * perPage, page * perPage);
  const body = wrap(await Promise.all(shown.map(present)));
  const link = links(call, page, Math.ceil(items.length / perPage));
  return { ...ok(body), ...(link === '' ? {} : { headers: { link } }) };
}

function links(call: Call, page: number, last: number): string {
  const to = (target: number, rel: string): string => {
    const query = new URLSearchParams({ ...call.query, page: String(target) });
    return `<${call.address}?${query.toString()}>; rel="${rel}"`;
  };
  const before = page > 1 ? [to(page - 1, 'prev'), to(1, 'first')] : [];
  const after = page < last ? [to(page + 1, 'next'), to(last, 'last')] : [];
  return [...before, ...after].join(', ');
}
