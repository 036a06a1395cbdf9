/**
 * A GitHub, lanes that run on a real Temporal, and the activities of intake between them. There are no hosts: what
 * lanes begin to deploy waits for one.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import type { Progress } from '@nereid/domain/deployment';
import type { ConsoleRequest, IntakeEvent, IntakeResult, LoginProof, OperatorRequest } from '@nereid/domain/intake';
import { CONTROL_QUEUE, LOOK_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { hashOfToken } from '@nereid/config';
import type { Discovery } from '@nereid/discovery';
import { createGitHub } from '@nereid/github';
import { startGitHub, type FileChanges, type GitHubStandIn } from '@nereid/github-stand-in';
import { createWorkflowEnvironment, type EnvironmentOptions } from '@nereid/test-kit/workflow-environment';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { readConfig } from '../../platform/config/config.ts';
import { createContext, type WorkerContext } from '../../platform/context.ts';
import { createGitHubLog } from '../../platform/log/github-log.ts';
import { createLaneActivities } from '../../lane-activities.ts';
import { createLookActivities, createShowActivities } from '../../pull-request/pull-request-activities.ts';
import { createIntakeActivities } from '../intake-activities.ts';
import { KEY_VARIABLES, sealedProof, signedEvent } from '../../testing/test-signatures.ts';
import { withoutSignalsTo, withProgressOf } from './faulty-temporal.ts';
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

const APP = { id: 4711, slug: 'nereid' };

/** 2048 bits are what GitHub makes. */
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export async function openIntakeStage(options?: EnvironmentOptions): Promise<IntakeStage> {
  const environment = await createWorkflowEnvironment(options);
  const progresses = new Map<string, Progress>();
  const temporal = withProgressOf(environment.client, progresses);
  const folder = await mkdtemp(join(tmpdir(), 'nereid-intake-'));
  const standIn = await startGitHub({
    dataDir: join(folder, 'github'),
    app: { ...APP, key: privateKey },
    // Nothing listens on the port that is reserved for "discard".
    webhook: { url: 'http://127.0.0.1:9/events', secret: 'secret' },
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

  const stage: IntakeStage = {
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

/**
 * Pull requests of repositories called `planned-…` are planned, of those called `forked-…` also those from forks, of those called
 * `any-base-…` those into any branch, and of those called `blocked-…` none passes while its plans are out of date. Roots called `guarded` and `careful` take more than others do, those called `loose` less.
 * Some are reviewed before the merge.
 */
function serverConfig(folder: string): string {
  return `
repositories:
  - { match: acme/planned-*, pull_requests: plan }
  - { match: acme/forked-*, pull_requests: plan, fork_plans: on_command }
  - { match: acme/any-base-*, pull_requests: plan, plan_all_bases: true }
  - { match: acme/blocked-*, pull_requests: plan, stale: block }
  - match: acme/*
    roots:
      early:
        plan_review: before_merge
      early-guarded:
        plan_review: before_merge
        permissions: { confirm: { not_author: true } }
      guarded:
        permissions:
          rerun: { permission: admin }
          plan: { permission: admin }
          apply: { permission: admin }
          unlock: { permission: admin }
          confirm: { not_author: true }
      prod/**:
        permissions:
          confirm: { teams: [acme/officers], not_author: true }
      paired:
        review: { each_of: [acme/sre, acme/dba] }
      name:secret-*:
        permissions: { confirm: { permission: admin } }
      careful:
        permissions: { apply: { permission: admin } }
      loose:
        plan_review: auto
        auto_when: { max_changes: 200 }
        permissions: { apply_force: { permission: write } }
storage: { deployments: "file:${folder}/kept", plans: "file:${folder}/kept", logs: "file:${folder}/kept" }
audit: { to: "file:${folder}/audit" }
console:
  operators: [ada]
  tokens:
${TOKENS}
policies:
  - { name: cost, source: policies, enforce: required, owners: { users: [wim], teams: [acme/finance] } }
  - { name: tags, source: policies, enforce: required, owners: { users: [ada] } }
`;
}

/** The tokens of people, "token of <login>", one that may only read, and one for some repositories. */
const TOKENS = [
  ...['ada', 'wim', 'rea'].map((login) => tokenEntry(login, login, TOKEN_SCOPES)),
  tokenEntry('reads', 'ada', ['read']),
  tokenEntry('some', 'ada', TOKEN_SCOPES, ', repositories: [acme/*]'),
].join('\n');

function tokenEntry(name: string, login: string, scopes: readonly string[], more = ''): string {
  const sha256 = hashOfToken(`token of ${name}`);
  return `    - { name: ${name}, sha256: ${sha256}, login: ${login}, scopes: [${scopes.join(', ')}], expires: 2999-01-01${more} }`;
}

async function openContext(folder: string, standIn: GitHubStandIn): Promise<WorkerContext> {
  const file = join(folder, 'nereid.server.yaml');
  await mkdir(join(folder, 'kept'));
  await mkdir(join(folder, 'policies'));
  await writeFile(file, serverConfig(folder));
  const environment = {
    PATH: process.env['PATH'],
    NEREID_CONFIG: file,
    GITHUB_APP_ID: String(APP.id),
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_API_URL: standIn.apiUrl,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    CONSOLE_URL: 'http://127.0.0.1:4144',
    LOG_LEVEL: 'fatal',
    ...KEY_VARIABLES,
  };
  const context = await createContext(readConfig(environment, false), environment);
  if (context.forge === undefined) throw new Error('expected the context of a control worker, found that of a host');
  return context;
}
