/**
 * A `.terraform` that somebody committed selects the workspace that was theirs at the time. A root without a workspace is one of
 * `default`, so it would be planned and applied in another one than every surface names.
 */
import path from 'node:path';
import type { Failure } from '@nereid/domain/host';
import type { Root } from '@nereid/domain/root';
import { cut, refusal } from '../../failure/failure.ts';
import { dataDirOf } from '../../state/backend.ts';
import { readTreeFile } from '../../tree-file.ts';
import type { JobOptions } from '../job-options.ts';
import type { Job } from '../job.ts';
import { isSelectedByInit } from './workspace.ts';

/** Undefined where the root runs in its own workspace, or where a command of its workflow may have selected another one. */
export async function whySelectionRefused(
  {
    root,
    treeDir,
  }: Pick<JobOptions, 'treeDir'> & {
    readonly root: Pick<Root, 'workspace' | 'distribution' | 'steps'>;
  },
  { rootDir, env }: Pick<Job, 'rootDir' | 'env'>,
): Promise<Failure | undefined> {
  if (root.workspace !== 'default' || 'TF_WORKSPACE' in env()) return undefined;
  if (root.steps.plan.some((step) => 'run' in step)) return undefined;
  const file = path.join(dataDirOf(rootDir, env()), 'environment');
  const selected = (await readTreeFile(file, treeDir)).trim();
  if (selected === '' || selected === 'default' || (await isSelectedByInit(rootDir, root.distribution)))
    return undefined;
  const name = JSON.stringify(cut(selected, NAME_LENGTH));
  return refusal(
    `${path.relative(rootDir, file)} in the repository selects the workspace ${name}, but this root is in the workspace default`,
    [
      'Remove that folder from the repository with `git rm -r --cached`, and list it in .gitignore.',
      `If ${name} is meant, name it as the workspace of this root in nereid.yaml as well.`,
    ],
  );
}

/** Of a workspace: enough to recognise it. */
const NAME_LENGTH = 60;
