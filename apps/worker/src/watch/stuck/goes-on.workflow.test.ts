import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { StuckWorkflow } from '@nereid/domain/activities';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment } from '@nereid/domain/testing';
import { intakeStageOfThisFile } from '../../intake/testing/intake-stage.ts';
import { listOpen } from '../open-workflows.ts';
import { reportStuck } from './report-stuck.ts';

const stage = intakeStageOfThisFile();

test('check runs of what was stuck and goes on again say so, and nothing of that counts as forged', async () => {
  const { context } = stage;
  const infra = await stage.repository({ 'README.md': '' });
  const lane = infra.lane('network');
  const usual = aDeployment({ status: 'queued' });
  const revision = { ...usual.revision, sha: await infra.head() };
  const [running, waiting] = [1, 2].map(() => ({
    ...usual,
    id: randomUUID(),
    requestId: randomUUID(),
    revision,
  }));
  if (running === undefined || waiting === undefined) throw new Error('expected two deployments');
  await lane.start({ merged: [running, waiting] });
  await lane.runs(running.id);

  const stuck = [stuckBefore(lane.id, WORKFLOW.deploy), stuckBefore(running.id, WORKFLOW.terraform)];
  await areListed(stuck);
  const report = await reportStuck(context, stuck, new AbortController().signal);

  const sentence = 'It was stuck for a while, and goes on again.';
  for (const { id } of [running, waiting]) await infra.shownWith({ externalId: id }, sentence);
  expect(report).toEqual({ count: 0, workflows: [] });
  const metrics = await context.metrics.registry.metrics();
  expect(metrics.match(/^nereid_forged_total.* [1-9]\d*$/gm)).toBeNull();
});

/** As the last watch found it, before a rollback. */
function stuckBefore(workflowId: string, type: StuckWorkflow['type']): StuckWorkflow {
  return { workflowId, runId: 'any', type, reason: 'its task fails', isShown: true };
}

/** Temporal lists workflows a moment after their start. */
async function areListed(workflows: readonly StuckWorkflow[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const open = new Set((await listOpen(stage.context)).map(({ workflowId }) => workflowId));
    if (workflows.every(({ workflowId }) => open.has(workflowId))) return;
    if (Date.now() > deadline) throw new Error(`expected a list with all workflows, found ${[...open].join(', ')}`);
  }
}
