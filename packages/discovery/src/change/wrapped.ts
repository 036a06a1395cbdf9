/** Changed files that are for another program, and of no root: somebody who merges them may wait for a deployment in vain. */
import type { RepositoryPolicy } from '@nereid/config';
import { directoryOf } from '../paths.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { runsCommands } from '../wrappers/runs-commands.ts';
import { wrapperOf } from '../wrappers/wrapper-files.ts';
import { isOfAModule } from './of-a-module.ts';
import { createIsUnclaimed } from './unclaimed.ts';

const PATH_SHOWN = 200;

/** A sentence for each program; undefined where there are none, or where a workflow may run them. Hostile. */
export function describeWrapped(
  found: Pick<RepositoryRoots, 'roots' | 'survey' | 'autodiscover'>,
  changed: readonly string[],
  policy: RepositoryPolicy,
): string | undefined {
  const wrapped = changed.filter((file) => wrapperOf(file) !== undefined);
  if (wrapped.length === 0 || found.roots.some((root) => runsCommands(root, policy))) return undefined;
  const there = new Set(found.survey.files.map(({ path }) => path));
  const isUnclaimed = createIsUnclaimed(found);
  const isNews = (dir: string) => !isOfAModule(dir) && isUnclaimed(dir);
  const files = wrapped.filter((file) => there.has(file) && isNews(directoryOf(file)));
  const byProgram = Map.groupBy(files, (file) => wrapperOf(file) ?? '');
  return files.length === 0 ? undefined : [...byProgram].map(([program, of]) => sentence(program, of)).join('; ');
}

function sentence(program: string, [first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${JSON.stringify(first.slice(0, PATH_SHOWN))}${more}: nothing here runs ${program}, so nothing of it is deployed`;
}
