/** Changed files that are for another program, and of no root: somebody who merges them may wait for a deployment in vain. */
import { directoryOf } from '../paths.ts';
import { createPatternCompiler } from '../patterns/when-modified.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { wrapperOf } from '../wrappers/wrapper-files.ts';

const PATH_SHOWN = 200;

/** One sentence; undefined where there are none. Hostile. */
export function describeWrapped(
  { roots, autodiscover }: Pick<RepositoryRoots, 'roots' | 'autodiscover'>,
  changed: readonly string[],
): string | undefined {
  const places = new Set(roots.map(({ place }) => place));
  const isIgnored = createPatternCompiler()('.', autodiscover.ignore);
  const isNews = (dir: string) => !places.has(dir) && !isIgnored(dir);
  const files = changed.filter((file) => wrapperOf(file) !== undefined && isNews(directoryOf(file)));
  const [first, ...others] = files;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${JSON.stringify(first.slice(0, PATH_SHOWN))}${more}: nothing here runs ${wrapperOf(first) ?? ''}, so nothing of it is deployed`;
}
