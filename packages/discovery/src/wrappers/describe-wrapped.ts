/** Changed files that are for another program, and of no root: somebody who merges them may wait for a deployment in vain. */
import { directoryOf } from '../paths.ts';
import { wrapperOf } from './wrapper-files.ts';

const PATH_SHOWN = 200;

/** One sentence; undefined where there are none. Hostile. `places` are those of roots. */
export function describeWrapped(places: ReadonlySet<string>, changed: readonly string[]): string | undefined {
  const files = changed.filter((file) => wrapperOf(file) !== undefined && !places.has(directoryOf(file)));
  const [first, ...others] = files;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${JSON.stringify(first.slice(0, PATH_SHOWN))}${more}: nothing here runs ${wrapperOf(first) ?? ''}, so nothing of it is deployed`;
}
