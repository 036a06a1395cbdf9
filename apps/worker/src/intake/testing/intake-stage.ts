/**
 * A GitHub, lanes that run on a real Temporal, and the activities of intake between them. There are no hosts: what
 * lanes begin to deploy waits for one.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '@nereid/domain/deployment';
import type { ConsoleRequest, IntakeEvent, IntakeResult, LoginProof, OperatorRequest } from '@nereid/domain/intake';
import { CONTROL_QUEUE, LOOK_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { Discovery } from '@nereid/discovery';
import { createGitHub } from '@nereid/github';
import { startGitHub, type FileChanges, type GitHubStandIn } from '@nereid/github-stand-in';
import { createWorkflowEnvironment, type EnvironmentOptions } from '@nereid/test-kit/workflow-environment';
import { afterAll, beforeAll } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { WorkerContext } from '../../platform/context.ts';
import { createGitHubLog } from '../../platform/log/github-log.ts';
import { createLaneActivities } from '../../lane-activities.ts';
import { createLookActivities, createShowActivities } from '../../pull-request/pull-request-activities.ts';
import { createIntakeActivities } from '../intake-activities.ts';
import { sealedProof, signedEvent } from '../../testing/test-signatures.ts';
import { withoutSignalsTo, withProgressOf } from './faulty-temporal.ts';
import { APP, openContext, privateKey } from './stage-server.ts';
import { StagedDeployment } from './staged-deployment.ts';
import { StagedRepository } from './staged-repository.ts';

export interface IntakeStage {
  readonly context: WorkerContext;
  readonly standIn: GitHubStandIn;
  /** The address of its storage. */
  readonly storage: string;
  /** The workflow of a deployment, on which nobody works. */
  deployment(): Promise<StagedDeployment>;
  /** A repository of its own: ada administers, wim writes, rea reads. Only repositories of `acme` are allowed. */
  repository(files: FileChanges, owner?: string, isPrivate?: boolean, name?: string): Promise<StagedRepository>;
  /** One attempt at an event, as the intake workflow makes it. */
  deliver(event: IntakeEvent, attempt?: Partial<Attempt>): Promise<IntakeResult>;
  /** The same for a request in the console, with the token of a person: ada, wim or rea. */
  ask(
    infra: StagedRepository,
    request: ConsoleRequest,
    asked?: Partial<AskedBy> & Partial<Attempt>,
  ): Promise<IntakeResult>;
  /** The same for a request that is about no repository. */
  askOperators(request: OperatorRequest, asked?: Partial<AskedBy> & Partial<Attempt>): Promise<IntakeResult>;
}

interface OpenStage extends IntakeStage {
  close(): Promise<void>;
}

export interface AskedBy {
  /** As the console says. */
  readonly sender: string;
  readonly proof: LoginProof;
}

export interface Attempt {
  readonly delivery: string;
  /** SHA-256 of the webhook's body. */
  readonly bodyDigest: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** When the event was handed to us. */
  readonly scheduledTimestampMs: number;
  /** When the gateway received it, ISO 8601; by default, at that moment. */
  readonly receivedAt: string;
  /** Ids of lanes to which Temporal takes no signal meanwhile. */
  readonly away: ReadonlySet<string>;
  /** In place of the stage's own. */
  readonly discovery: Discovery;
  /** In place of the stage's own. */
  readonly server: WorkerContext['server'];
}

/** Activities that fail are what some tests are about. */
const QUIET = new DefaultLogger('ERROR');

/** Opened before the tests of the file, and closed after them. */
export function intakeStageOfThisFile(options?: EnvironmentOptions): IntakeStage {
  const stage = {} as OpenStage; // Tests find it open.
  beforeAll(async () => {
    Object.assign(stage, await openIntakeStage(options));
  });
  afterAll(() => stage.close());
  return stage;
}

async function openIntakeStage(options?: EnvironmentOptions): Promise<OpenStage> {
  const environment = await createWorkflowEnvironment(options);
  const progresses = new Map<string, Progress>();
  const temporal = withProgressOf(environment.client, progresses);
  const folder = await mkdtemp(join(tmpdir(), 'nereid-intake-'));
  const standIn = await startGitHub({
    dataDir: join(folder, 'github'),
    app: { ...APP, key: privateKey },
  });
  const opened = await openContext(folder, standIn);
  const log = createGitHubLog(opened.logger);
  // An outage is retried after moments.
  const impatient = { appId: APP.id, privateKey, apiUrl: standIn.apiUrl, retryBaseMs: 1 };
  const context = { ...opened, temporal, forge: createGitHub({ ...impatient, log, webUrl: standIn.url }) };
  const queues = {
    [CONTROL_QUEUE]: {
      ...createLaneActivities(context),
      ...createShowActivities(context),
      // Tests count the check runs of roots.
      showRollout: () => Promise.resolve('it is not shown here'),
      // Nobody goes back after an apply that failed.
      answer: () => Promise.resolve('no revert is prepared here'),
    },
    [LOOK_QUEUE]: createLookActivities(context),
  };
  const workers = await Promise.all(
    Object.entries(queues).map(([taskQueue, activities]) => environment.createWorker({ taskQueue, activities })),
  );
  const running = workers.map((worker) => worker.run());
  const deployments: StagedDeployment[] = [];
  let repositories = 0;

  const stage: OpenStage = {
    context,
    standIn,
    storage: `file:${folder}/kept`,
    async deployment() {
      const options = { workflowId: randomUUID(), taskQueue: 'nobody' };
      const deployment = new StagedDeployment(await temporal.workflow.start(WORKFLOW.terraform, options));
      deployments.push(deployment);
      return deployment;
    },
    async repository(files, owner = 'acme', isPrivate = true, prefix = 'infra') {
      repositories += 1;
      const collaborators = { ada: 'admin', wim: 'write', rea: 'read' } as const;
      const name = `${prefix}-${repositories}`;
      const { installationId } = await standIn.createRepository({
        owner,
        name,
        files,
        collaborators,
        private: isPrivate,
      });
      return new StagedRepository(context, standIn, { owner, name, installationId }, progresses);
    },
    async deliver(event, given = {}) {
      const {
        delivery = randomUUID(),
        bodyDigest,
        away,
        discovery = context.discovery,
        server = context.server,
        ...rest
      } = given;
      const { receivedAt: asSigned, ...info } = rest;
      const attempt = { attempt: 1, scheduledTimestampMs: Date.now(), ...info };
      const activity = new MockActivityEnvironment(attempt, { logger: QUIET });
      const reached = away === undefined ? context : withoutSignalsTo(context, away);
      const theirs = createIntakeActivities({ ...reached, discovery, server });
      const receivedAt = asSigned ?? new Date(attempt.scheduledTimestampMs).toISOString();
      const received = await signedEvent({
        version: 1,
        delivery,
        receivedAt,
        ...(bodyDigest && { bodyDigest }),
        event,
      });
      return activity.run(() => theirs.handleEvent(received));
    },
    async ask(infra, request, { sender = 'wim', proof, ...attempt } = {}) {
      const { delivery = randomUUID() } = attempt;
      const { repository } = infra;
      const shown = proof ?? { mode: 'token', token: `token of ${sender}` };
      const sealed = await sealedProof(shown, delivery, { repository });
      return stage.deliver({ kind: 'request', repository, request, sender, proof: sealed }, { ...attempt, delivery });
    },
    async askOperators(request, { sender = 'ada', proof, ...attempt } = {}) {
      const { delivery = randomUUID() } = attempt;
      const shown = proof ?? { mode: 'token', token: `token of ${sender}` };
      const sealed = await sealedProof(shown, delivery, { request });
      return stage.deliver({ kind: 'operator-request', request, sender, proof: sealed }, { ...attempt, delivery });
    },
    async close() {
      // Lanes follow deployments that have not ended, and would go on after the connection is gone.
      await Promise.allSettled(deployments.map(({ handle }) => handle.terminate()));
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await standIn.close();
      await opened.close();
      await environment.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return stage;
}
