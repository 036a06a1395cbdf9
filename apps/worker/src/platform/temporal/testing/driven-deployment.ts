/** The terraform workflow of a deployment in a real Temporal, where the test itself does what workers do. */
import { randomUUID } from 'node:crypto';
import type { ApplyOutcome, Deployment, Progress, TerraformInput, TerraformResult } from '@nereid/domain/deployment';
import type { Ending } from '@nereid/domain/deployment-actor';
import { fullName, type Repository } from '@nereid/domain/root';
import { hostQueue, MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { aDeployment } from '@nereid/domain/testing';
import type { WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, toPayloads } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';

/** `CommandType` of temporal/api/enums/v1/command_type.proto. */
const COMMAND = { scheduleActivity: 1, completeWorkflow: 4 } as const;

/** `QUERY_RESULT_TYPE_ANSWERED` of temporal/api/enums/v1/query.proto. */
const ANSWERED = 1;

/** The task is there already, but the server requires a time limit. */
const POLLED_WITHIN_MS = 120_000;

const AN_HOUR = msToTs('1 hour');

const A_MOMENT = msToTs('10 ms');

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** No other attempt of what touches a host. */
const ONCE = { maximumAttempts: 1 };

/** A payload that is not as it says. */
const GARBAGE = { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }] };

interface Command {
  readonly commandType: number;
  readonly [attributes: string]: unknown;
}

type Server = Pick<WorkflowEnvironment, 'client' | 'namespace'>;

export class DrivenDeployment {
  readonly deployment: Deployment;
  readonly handle: WorkflowHandle;
  private readonly environment: Server;

  private constructor(environment: Server, input: TerraformInput, handle: WorkflowHandle) {
    this.environment = environment;
    this.deployment = input.deployment;
    this.handle = handle;
  }

  /** One whose workflow has been asked for, and has done nothing yet. */
  static async start(
    environment: Server,
    repository: Repository,
    about: Partial<Deployment> = {},
  ): Promise<DrivenDeployment> {
    const id = randomUUID();
    const deployment = { ...aDeployment({ status: 'preparing' }), ...about, id };
    const input: TerraformInput = { repository, deployment, reported: {}, reviewRequired: true };
    // Its queue is its own: nobody else takes its tasks.
    const handle = await environment.client.workflow.start(WORKFLOW.terraform, {
      workflowId: id,
      taskQueue: id,
      args: [input],
      typedSearchAttributes: [
        { key: REPOSITORY, value: fullName(repository) },
        { key: ROOT, value: deployment.root.name },
      ],
    });
    return new DrivenDeployment(environment, input, handle);
  }

  get id(): string {
    return this.deployment.id;
  }

  /** It goes on without a further step. */
  async goesOn(): Promise<void> {
    await this.decides([]);
  }

  /** Its next step asks a host for an activity. */
  async asks(hostId: string, activity: 'claimAndPlan' | 'applyOnHost' | 'inspectApply', jobId: string): Promise<void> {
    await this.schedules(activity, hostQueue(hostId), { deploymentId: this.id, jobId });
  }

  /** Its next step is an apply that its host does not take. */
  async asksInVain(hostId: string, jobId: string): Promise<void> {
    await this.schedules('applyOnHost', hostQueue(hostId), { deploymentId: this.id, jobId }, A_MOMENT);
    await this.goesOn();
  }

  /** Its next step asks for permission to apply, and the audit trail hears of the start. */
  async announces(jobId: string): Promise<void> {
    const job = { id: jobId, startedAt: this.deployment.receivedAt };
    await this.schedules('begin', this.id, { job });
    await this.answers(this.id, undefined);
  }

  /** Its next step asks for its end to be reported and stored, which nobody does. */
  async tellsItsEnd(ending: Ending): Promise<void> {
    await this.schedules('endDeployment', this.id, ending);
  }

  /** The host answers the last activity that it was asked for. */
  async hears(hostId: string, outcome: ApplyOutcome): Promise<void> {
    await this.answers(hostQueue(hostId), outcome);
  }

  /** The last activity that the host was asked for fails. */
  async failsOn(hostId: string, type: 'WORKER_LOST' | 'HOST_DECLINED'): Promise<void> {
    const { namespace, client } = this.environment;
    const taskToken = await this.activityOf(hostQueue(hostId));
    const failure = { message: 'it failed', applicationFailureInfo: { type } };
    await client.workflowService.respondActivityTaskFailed({ namespace, taskToken, failure });
  }

  /** It answers one query for its progress. */
  async says(progress: Partial<Progress>): Promise<void> {
    const { namespace, client } = this.environment;
    const { taskToken, query } = await this.workflowTask();
    if (query?.queryType !== MESSAGE.progress) throw new Error(`expected a query, found ${JSON.stringify(query)}`);
    const queryResult = this.payloads({ ...this.deployment.progress, ...progress });
    const answer = { namespace, taskToken, completedType: ANSWERED, queryResult };
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- no package of ours may name the enum
    await client.workflowService.respondQueryTaskCompleted(answer);
  }

  /** A host answers the last activity that it was asked for with what nobody can read. */
  async hearsGarbage(hostId: string): Promise<void> {
    const { namespace, client } = this.environment;
    const taskToken = await this.activityOf(hostQueue(hostId));
    await client.workflowService.respondActivityTaskCompleted({ namespace, taskToken, result: GARBAGE });
  }

  /** It completes with what nobody can read. */
  async endsInGarbage(): Promise<void> {
    const completeWorkflowExecutionCommandAttributes = { result: GARBAGE };
    await this.decides([{ commandType: COMMAND.completeWorkflow, completeWorkflowExecutionCommandAttributes }]);
  }

  /** It completes. */
  async ends(progress: Partial<Progress>): Promise<void> {
    const result: TerraformResult = {
      progress: { ...this.deployment.progress, ...progress },
      checkRuns: [],
      reported: {},
    };
    const completeWorkflowExecutionCommandAttributes = { result: this.payloads(result) };
    await this.decides([{ commandType: COMMAND.completeWorkflow, completeWorkflowExecutionCommandAttributes }]);
  }

  private async schedules(
    activity: string,
    taskQueue: string,
    input: unknown,
    scheduleToStartTimeout = AN_HOUR,
  ): Promise<void> {
    const scheduleActivityTaskCommandAttributes = {
      activityId: randomUUID(),
      activityType: { name: activity },
      taskQueue: { name: taskQueue },
      input: this.payloads(input),
      scheduleToStartTimeout,
      scheduleToCloseTimeout: AN_HOUR,
      retryPolicy: ONCE,
    };
    await this.decides([{ commandType: COMMAND.scheduleActivity, scheduleActivityTaskCommandAttributes }]);
  }

  private async answers(taskQueue: string, answer: unknown): Promise<void> {
    const { namespace, client } = this.environment;
    const taskToken = await this.activityOf(taskQueue);
    const result = this.payloads(answer);
    await client.workflowService.respondActivityTaskCompleted({ namespace, taskToken, result });
  }

  private async decides(commands: readonly Command[]): Promise<void> {
    const { namespace, client } = this.environment;
    const { taskToken } = await this.workflowTask();
    const decision = { namespace, taskToken, commands: [...commands] };
    await client.workflowService.respondWorkflowTaskCompleted(decision);
  }

  private workflowTask() {
    const { namespace, client } = this.environment;
    return client.withDeadline(Date.now() + POLLED_WITHIN_MS, () =>
      client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: this.id } }),
    );
  }

  private async activityOf(taskQueue: string): Promise<Uint8Array> {
    const { namespace, client } = this.environment;
    const { taskToken } = await client.withDeadline(Date.now() + POLLED_WITHIN_MS, () =>
      client.workflowService.pollActivityTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
    );
    return taskToken;
  }

  private payloads(value: unknown) {
    const { payloadConverter } = this.environment.client.options.loadedDataConverter;
    return { payloads: toPayloads(payloadConverter, value) ?? [] };
  }
}
