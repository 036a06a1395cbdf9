/** What people do with pull requests on the stage of intake, where no host plans what is ordered. */
import type { PullRequestLook, PreviewRecord } from '@nereid/domain/pull-request';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import type { CheckRun } from '@nereid/github-stand-in';
import type { IntakeStage } from '../../intake/testing/intake-stage.ts';
import type { StagedRepository } from '../../intake/testing/staged-repository.ts';

/** Check runs of pull requests have a share of GitHub's points: those of a whole file may wait for the next minute. */
const WITHIN_MS = 150_000;

export function stagedPullRequests(stage: IntakeStage, infra: StagedRepository) {
  const { context, standIn } = stage;
  const { repository } = infra;

  async function latestLook(number: number): Promise<PullRequestLook | undefined> {
    return (await context.pullRequestRecords.read(repository, { number }))?.look;
  }

  return {
    latestLook,
    /** The webhook of a change. */
    changed: (number: number, action = 'synchronize') =>
      stage.deliver({ kind: 'pull-request', repository, pullRequest: number, action, sender: 'wim' }),
    /** The newest check run `nereid/plan` of a head, once its title begins like that. */
    shows: (sha: string, title: string): Promise<CheckRun> =>
      standIn.waitFor(
        () => {
          const newest = infra.checkRuns().find(({ name, headSha }) => name === 'nereid/plan' && headSha === sha);
          return newest?.output.title?.startsWith(title) === true ? newest : undefined;
        },
        { what: `"${title}" on ${sha}`, deadlineMs: WITHIN_MS },
      ),
    /** The look that satisfies this. */
    async looked(number: number, isSo: (found: PullRequestLook) => boolean): Promise<PullRequestLook> {
      for (const end = Date.now() + WITHIN_MS; Date.now() < end;) {
        const found = await latestLook(number);
        if (found !== undefined && isSo(found)) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`expected another look at #${number}, found ${JSON.stringify(await latestLook(number))}`);
    },
    /** The records of the previews that count. */
    async previews(number: number): Promise<readonly PreviewRecord[]> {
      const refs = (await latestLook(number))?.previews ?? [];
      const read = refs.map(({ rootName, deploymentId }) =>
        context.pullRequestRecords.readPreview(repository, rootName, deploymentId),
      );
      return (await Promise.all(read)).filter((record) => record !== undefined);
    },
    /** Ends a preview as if a host had planned it. */
    async planned(record: PreviewRecord): Promise<void> {
      const { deployment } = record;
      await context.temporal.workflow.getHandle(deployment.id).terminate('planned');
      const progress = { ...deployment.progress, status: 'planned' } as const;
      const endedAt = new Date().toISOString();
      await context.pullRequestRecords.writePreview({ ...record, deployment: { ...deployment, progress }, endedAt });
    },
    /** The ids of the repository's previews whose workflows run, once there are so many. */
    async running(count: number): Promise<readonly string[]> {
      const query = `WorkflowType = '${WORKFLOW.terraform}' AND ExecutionStatus = 'Running' AND NereidRepository = '${infra.fullName}'`;
      let ids: string[] = [];
      for (const end = Date.now() + WITHIN_MS; Date.now() < end;) {
        ids = [];
        for await (const { workflowId } of context.temporal.workflow.list({ query })) ids.push(workflowId);
        if (ids.length === count) return ids;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`expected ${count} running previews, found ${ids.length}`);
    },
  };
}
