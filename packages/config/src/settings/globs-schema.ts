/** The globs of the server's file that match repositories and roots. */
import { described, list, text } from '../yaml/schema.ts';

/** The characters of a glob without `/` and without negation. */
export const GLOB = String.raw`[\w.*?{},[\]-]+`;

export const REPOSITORY_GLOB = text(
  'a repository as "owner/name"; "*" stands for any part of either',
  new RegExp(`^${GLOB}/${GLOB}$`),
);

export const ROOT_RULE = {
  expected:
    'a directory from the top of the repository ("*" stands for any part of a name, "**" for any directories), or "name:" and the name of a root',
  pattern: new RegExp(`^(?!(?:.*/)?\\.\\.(?:/|$))(?:name:${GLOB}|${GLOB}(?:/${GLOB})*)$`),
};

/** More of them are one glob. */
const SCOPE_LIMIT = 100;

/** The repositories and roots that something of the file is about; all of them without it. Both in words. */
export function scopeOf(ofRepositories: string, ofRoots: string) {
  return {
    repositories: described(
      list(REPOSITORY_GLOB, SCOPE_LIMIT).optional(),
      ofRepositories,
      'list of `owner/name`, globs (all)',
    ),
    roots: described(
      list(text(ROOT_RULE.expected, ROOT_RULE.pattern), SCOPE_LIMIT).optional(),
      ofRoots,
      'list of [directories](reference/server-file.md#rules-for-roots) (all)',
    ),
  };
}
