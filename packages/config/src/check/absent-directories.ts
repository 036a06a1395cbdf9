/** Roots whose directory is not there: nothing would ever be deployed for them. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryConfig } from '../repository/repository-config.ts';
import { quote, type Problem } from '../yaml/problem.ts';

/** None where the folder is not the top of a check-out: then nobody knows what the repository has. */
export function absentDirectories(folder: string, { roots }: RepositoryConfig): readonly Problem[] {
  if (!existsSync(join(folder, '.git'))) return [];
  return roots
    .filter(({ dir }) => !isDirectory(join(folder, dir)))
    .map(({ name, dir, dirAt = { path: '' } }) => ({
      ...dirAt,
      message: `expected the directory ${quote(dir)} of root ${name} in this check-out, found none; correct dir, add it, or remove the root`,
    }));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
