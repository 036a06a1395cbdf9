import { attach, type StopTriggers } from '@nereid/subprocess';
import { createApplyMarker } from './apply-marker.ts';
import { applyEnd, type ApplyResult } from './apply-result.ts';
import { APPLY_COMMAND } from './apply-root.ts';
import { failureOf } from './failure.ts';
import type { JobOptions } from './job-options.ts';
import { createOutputReader } from './output-reader.ts';
import { stepResult } from './step-result.ts';

export interface FollowOptions extends StopTriggers, Pick<JobOptions, 'folder' | 'log' | 'hide'> {}

/**
 * Follows an apply that a former worker process started in this folder to its end, and tells its true outcome. The log gets
 * all of Terraform's output again. Where no apply began, none can begin any more.
 */
export async function followApply(options: FollowOptions): Promise<ApplyResult> {
  if (await createApplyMarker(options.folder)) return neverBegan;
  const output = createOutputReader(options.hide);
  const result = await attach({
    ...options,
    name: APPLY_COMMAND,
    onOutput: (chunk) => {
      output.read(chunk);
      return options.log(chunk);
    },
  });
  return result.kind === 'could-not-start' ? neverBegan : applyEnd(stepResult('apply', result, output));
}

const neverBegan: ApplyResult = {
  kind: 'failed',
  failure: failureOf('Nothing was applied: the worker was lost before the apply began'),
};
