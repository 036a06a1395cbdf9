import { realpath } from 'node:fs/promises';
import type { Failure } from '@nereid/domain/host';
import type { Step } from '@nereid/domain/root';
import { failureOf } from '../failure/failure.ts';
import type { JobOptions } from './job-options.ts';
import type { Job } from './job.ts';
import { whyFilesRefused } from './variables/given-files.ts';
import { dataDirOf } from '../state/backend.ts';
import { whyDataDirRefused, whyStateLost } from '../state/why-state-lost.ts';

/** Why a step must not run; undefined when it may. */
export async function whyStepRefused(options: JobOptions, job: Job, step: Step): Promise<Failure | undefined> {
  const { rootDir, isWorkspacePretended } = job;
  const { root, sharedState } = options;
  const treeDir = await realpath(options.treeDir);
  const file = await whyFilesRefused({ step, root, treeDir, rootDir });
  if (file !== undefined) return failureOf(file);
  const place = { treeDir, rootDir, dataDir: dataDirOf(rootDir, job.env()), workspace: root.workspace };
  if (step.kind === 'init') return whyDataDirRefused(place);
  const isAsked = step.kind === 'plan' && sharedState !== undefined && !isWorkspacePretended;
  return isAsked ? whyStateLost({ ...place, sharedState }) : undefined;
}
