import type { RootConfig } from '@nereid/config';
import { followLinks, type Links } from './links.ts';
import { directoryOf, joinPath } from './paths.ts';
import type { TreeSurvey } from './tree-survey.ts';

/** The root with those of its variable files that the revision has, of files that count where they are there. */
export function withVariableFiles(
  { varFilesIfThere = [], ...config }: RootConfig,
  place: string,
  { survey, links }: { readonly survey: Pick<TreeSurvey, 'variables'>; readonly links: Links },
): RootConfig {
  const there = varFilesIfThere.filter((file) => {
    const named = joinPath(place, file);
    if (named === undefined) return false;
    const followed = followLinks(named, links);
    // It is given, so that its plan says that it leads out of the repository.
    if (followed.kind === 'outside') return true;
    return survey.variables.get(directoryOf(followed.path))?.some(({ path }) => path === followed.path) ?? false;
  });
  return { ...config, varFiles: [...config.varFiles, ...there] };
}
