/** Runs of GitHub Actions that come to a job for an environment which Nereid protects. */
import { randomUUID } from 'node:crypto';
import type { ProtectionRule } from '@nereid/config';
import type { IntakeResult, ProtectedRun, ProtectedRunEvent } from '@nereid/domain/intake';
import { deploymentAt, progressAs } from '@nereid/domain/testing';
import type { WorkflowRun } from '@nereid/github-stand-in';
import type { WorkerContext } from '../../platform/context.ts';
import { createAnswerProtectedRuns } from '../../protected-run/answer-protected-runs.ts';
import { signedEvent } from '../../testing/test-signatures.ts';
import type { Attempt, IntakeStage } from './intake-stage.ts';
import { BACKEND, type StagedRepository } from './staged-repository.ts';

export const RULE: ProtectionRule = {
  environment: 'production',
  repositories: ['acme/*'],
  roots: ['network', 'app'],
};

const FILES = { 'network/main.tf': BACKEND, 'app/main.tf': BACKEND, 'dns/main.tf': BACKEND };

export class ProtectedRunStage {
  readonly #stage: IntakeStage;

  constructor(stage: IntakeStage) {
    this.#stage = stage;
  }

  withRules(...protectionRules: readonly ProtectionRule[]): Pick<WorkerContext, 'server'> {
    return { server: { current: () => ({ ...this.#stage.context.server.current(), protectionRules }) } };
  }

  /** With everything that is on its branch taken as it is. */
  async aRepository(): Promise<StagedRepository> {
    const infra = await this.#stage.repository(FILES);
    const reconciledTo = await infra.head();
    const record = { version: 1, repository: infra.repository, branch: 'main', reconciledTo } as const;
    await this.#stage.context.repositoryRecords.write(record, null);
    return infra;
  }

  /** GitHub asks about a run that has come to its job. */
  started(infra: StagedRepository, sha: string, environment = 'production'): ProtectedRunEvent {
    const run = this.#stage.standIn.startWorkflowRun(infra.fullName, { environment, sha, by: 'wim' });
    return askedFor(infra, run, sha);
  }

  /** Somebody cancels the run, and starts it again. */
  startedAgain(infra: StagedRepository, { runId, sha }: ProtectedRunEvent): ProtectedRunEvent {
    this.#stage.standIn.cancelWorkflowRun(runId);
    return askedFor(infra, this.#stage.standIn.rerunWorkflowRun(runId, 'wim'), sha);
  }

  deliver(event: ProtectedRunEvent, more: Partial<Attempt> = {}): Promise<IntakeResult> {
    return this.#stage.deliver(event, { ...this.withRules(RULE), ...more });
  }

  /** As intake keeps it, without a look. */
  async wait(
    event: ProtectedRunEvent,
    change: Partial<ProtectedRunEvent> = {},
    receivedAt = new Date().toISOString(),
  ): Promise<void> {
    const body = { version: 1, delivery: randomUUID(), receivedAt, event } as const;
    const { signature } = await signedEvent(body);
    const received: ProtectedRun['received'] = { body: { ...body, event: { ...event, ...change } }, signature };
    await this.#stage.context.protectedRuns.add({ version: 1, received, reports: 0 });
  }

  /** As the watch looks every minute. */
  async answerRuns(context: WorkerContext = this.#stage.context, afterMs = 0): Promise<void> {
    const answer = createAnswerProtectedRuns({ ...context, ...this.withRules(RULE) });
    await answer(new AbortController().signal, Date.now() + afterMs);
  }

  runOf(infra: StagedRepository): WorkflowRun | undefined {
    return this.#stage.standIn.workflowRuns(infra.fullName)[0];
  }

  async listed(infra: StagedRepository): Promise<readonly ProtectedRun[]> {
    const all = await this.#stage.context.protectedRuns.list(() => undefined);
    return all.filter(({ received }) => received.body.event.repository.name === infra.repository.name);
  }

  async deployed(infra: StagedRepository, rootName: string, sha: string): Promise<void> {
    const { root, revision, ...deployment } = deploymentAt(1, { id: randomUUID(), progress: progressAs('succeeded') });
    await this.#stage.context.deploymentRecords.write({
      ...{ version: 1, repository: infra.repository, endedAt: new Date().toISOString() },
      deployment: { ...deployment, root: { ...root, name: rootName }, revision: { ...revision, sha } },
    });
  }

  /** A look is one at the runs of all tests. */
  async clear(): Promise<void> {
    const { protectedRuns } = this.#stage.context;
    const left = await protectedRuns.list(() => undefined);
    await Promise.all(left.map((run) => protectedRuns.remove(run)));
  }
}

function askedFor(infra: StagedRepository, run: WorkflowRun, sha: string): ProtectedRunEvent {
  const { id: runId, deploymentId, environment } = run;
  const askedAt = new Date().toISOString();
  return {
    ...{ kind: 'protected-run', repository: infra.repository, runId, deploymentId, askedAt },
    ...{ environment, sha, sender: 'wim' },
  };
}
