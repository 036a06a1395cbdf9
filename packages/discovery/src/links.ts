/** Symbolic links of a revision, followed without a working tree. */
import { joinPath } from './paths.ts';

/** The targets of links, by the links' own paths. */
export type Links = ReadonlyMap<string, string>;

export type Followed =
  /** `through`: the links on the way, so that a change of one of them counts. */
  | { readonly kind: 'inside'; readonly path: string; readonly through: readonly string[] }
  | { readonly kind: 'outside'; readonly link: string; readonly target: string };

/** Linux gives up after this many (ELOOP). */
const HOPS_LIMIT = 40;

/** Follows the links in a path inside the repository. */
export function followLinks(path: string, links: Links): Followed {
  if (links.size === 0) return { kind: 'inside', path, through: [] };
  const through: string[] = [];
  let ahead = path.split('/');
  let at = '.';
  while (ahead.length > 0) {
    const [segment = '', ...rest] = ahead;
    const next = joinPath(at, segment) ?? '.';
    const target = links.get(next);
    ahead = rest;
    if (target === undefined) {
      at = next;
      continue;
    }
    through.push(next);
    const destination = target.startsWith('/') ? undefined : joinPath(at, target);
    if (destination === undefined || through.length > HOPS_LIMIT) return { kind: 'outside', link: next, target };
    ahead = [...destination.split('/'), ...rest];
    at = '.';
  }
  return { kind: 'inside', path: at, through };
}

/** The path itself when it leads out of the repository. */
export function realPath(path: string, links: Links): string {
  const followed = followLinks(path, links);
  return followed.kind === 'inside' ? followed.path : path;
}
