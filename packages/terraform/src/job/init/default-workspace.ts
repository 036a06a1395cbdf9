import { NO_STATE } from '../../state/state-version.ts';
import { cut } from '../../failure/failure.ts';
import type { JobOptions } from '../job-options.ts';
import type { Job } from '../job.ts';
import { judgedCommand } from '../judged-command.ts';
import { isSelectedByInit, listWorkspaces } from './workspace.ts';

/** Enough to see what they are, and to leave room for what to do. */
const NAMES_SHOWN = 3;

/**
 * Present where a root is planned against an empty `default`, while its backend has other workspaces. Its people may have selected
 * one by hand, and this plan makes everything a second time. A clause.
 */
export async function whyOtherWorkspace(
  options: JobOptions,
  job: Job,
  stateVersion: string | undefined,
): Promise<string | undefined> {
  const { workspace, distribution } = options.root;
  if (workspace !== DEFAULT || stateVersion !== NO_STATE || 'TF_WORKSPACE' in job.envValues) return undefined;
  if (await isSelectedByInit(job.rootDir, distribution)) return undefined;
  const listed = await listWorkspaces(options, job, judgedCommand(job));
  // Some backends have no workspaces.
  if (listed.kind === 'ended') return undefined;
  const others = listed.names.filter((name) => name !== DEFAULT);
  if (others.length === 0) return undefined;
  const shown = others.slice(0, NAMES_SHOWN).map((name) => JSON.stringify(cut(name, NAME_LENGTH)));
  const more = others.length > NAMES_SHOWN ? ` and ${others.length - NAMES_SHOWN} more` : '';
  return `the workspace default, in which this was planned, has no state, but the backend also has ${shown.join(', ')}${more}: if one of them is meant, this makes everything a second time; name it as the workspace of this root in nereid.yaml`;
}

const DEFAULT = 'default';

/** Of a workspace: enough to recognise it. */
const NAME_LENGTH = 60;
