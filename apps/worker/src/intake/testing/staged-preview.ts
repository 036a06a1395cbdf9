/** A preview of a pull request, as if a host had planned it. */
import { previewCheckRunName, type Deployment, type Progress } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import { NO_CHANGES, type Plan } from '@nereid/domain/plan';
import { syncPullRequest } from '../../pull-request/sync-pull-request.ts';
import type { IntakeStage } from './intake-stage.ts';
import { DIGEST, type OpenedPullRequest, type StagedRepository } from './staged-repository.ts';

export interface StagedPreview {
  readonly deployment: Deployment;
  readonly checkRun: PressedCheckRun;
}

/** Looks at the pull request, and has its only root planned. */
export async function stagePreview(
  { context }: IntakeStage,
  infra: StagedRepository,
  { number, headSha }: OpenedPullRequest,
): Promise<StagedPreview> {
  const { repository } = infra;
  // As if a webhook had told of it, but its workflow looks only when it hears of the merge.
  const opened = { version: 1, repository, number, checkRuns: [] } as const;
  await context.pullRequestRecords.change(repository, { number }, (record) => record ?? opened);
  const tools = { context, signal: new AbortController().signal };
  await syncPullRequest(tools, repository, { number }, []);
  const [ref] = (await context.pullRequestRecords.read(repository, { number }))?.look?.previews ?? [];
  const record = ref && (await context.pullRequestRecords.readPreview(repository, ref.rootName, ref.deploymentId));
  if (record === undefined) throw new Error(`expected a preview of #${number}, found none`);
  const { id, root } = record.deployment;
  await context.temporal.workflow.getHandle(id).terminate();
  const deployment = { ...record.deployment, progress: await planned(context, record.deployment) };
  const endedAt = new Date().toISOString();
  await context.pullRequestRecords.writePreview({ ...record, deployment, endedAt });
  const name = previewCheckRunName(root.name);
  const content = { name, externalId: id, conclusion: 'success', title: 'Plan: 1 to add' } as const;
  infra.reports(id, deployment.progress);
  return { deployment, checkRun: await infra.ownCheckRun(root.name, headSha, content) };
}

async function planned(
  { signatures }: IntakeStage['context'],
  { id, order = '', receivedAt }: Deployment,
): Promise<Progress> {
  const summary = { ...NO_CHANGES, create: 1, resources: [], omitted: 0 };
  const passed = { enforce: 'required', verdict: 'passed', denials: [], warnings: [] } as const;
  // Those of the stage.
  const policies = ['cost', 'tags'].map((name) => ({ name, ...passed }));
  const body = { version: 1, deploymentId: id, order, digest: DIGEST, hasChanges: true, summary, policies } as const;
  const plan: Plan = { made: await signatures.enclose('result/plan', body), reviewRequired: false };
  return { status: 'planned', times: { planned: receivedAt }, jobs: {}, plan };
}
