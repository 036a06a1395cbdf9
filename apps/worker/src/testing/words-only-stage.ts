/**
 * A whole worker beside a forge that has no more than statuses and comments: real git, the real Temporal, real Terraform on a
 * host of its own. Events come as the gateway sends them, and requests as the console does.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfToken } from '@nereid/config';
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import {
  intakeWorkflowId,
  seenFacts,
  type ConsoleRequest,
  type IntakeEvent,
  type IntakeResult,
} from '@nereid/domain/intake';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { createWordsOnlyForge, type ShownStatus, type WordsOnlyForge } from '@nereid/forge/testing';
import { startTestHost, type TestFiles, type TestHost } from '@nereid/git/testing';
import { digestOf } from '@nereid/signature';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { askProgress, viewLane } from '../lane/view-lane.ts';
import { readConfig } from '../platform/config/config.ts';
import { createContext, type WorkerContext } from '../platform/context.ts';
import { openWorkers } from '../workers.ts';
import { KEY_VARIABLES, SEAL_VARIABLES, sealedProof, signedEvent } from './test-signatures.ts';
import { makeAppKey } from '@nereid/github-stand-in';

export interface WordsOnlyStage extends Pick<WordsOnlyForge, 'comments' | 'open'> {
  readonly git: TestHost;
  /** A commit on the default branch, and its push. */
  merge(files: TestFiles): Promise<IntakeResult>;
  deliver(event: IntakeEvent): Promise<IntakeResult>;
  /** An answer to the plan that waits in the lane of a root, from the console's page. */
  answer(rootName: string, action: 'confirm' | 'reject', sender: string): Promise<IntakeResult>;
  /** The status of a root's deployment, once its title or its summary says so. */
  shows(rootName: string, words: RegExp): Promise<ShownStatus>;
  close(): Promise<void>;
}

export async function openWordsOnlyStage(): Promise<WordsOnlyStage> {
  const environment = await createWorkflowEnvironment();
  const git = await startTestHost();
  const { repository, upstream } = git;
  const words = createWordsOnlyForge({
    repositories: [repository],
    permissions: { ada: 'admin', wim: 'write', rea: 'read' },
    compare: async (base, head) => {
      const contains = async (one: string, other: string) => (await upstream.git('merge-base', one, other)) === one;
      if (base === head) return 'identical';
      if (await contains(base, head)) return 'ahead';
      return (await contains(head, base)) ? 'behind' : 'diverged';
    },
  });
  const { context, close } = await openWorker(environment, git, words);

  const send = async (event: IntakeEvent, delivery = randomUUID()): Promise<IntakeResult> => {
    const received = { version: 1, delivery, receivedAt: new Date().toISOString(), event } as const;
    const options = { taskQueue: CONTROL_QUEUE, workflowId: intakeWorkflowId(received) };
    const workflow = await environment.client.workflow.start(WORKFLOW.intake, {
      ...options,
      args: [await signedEvent(received)],
    });
    return (await workflow.result()) as IntakeResult; // The contract of that workflow.
  };

  return {
    git,
    comments: (pullRequest) => words.comments(pullRequest),
    open: (pullRequest) => {
      words.open(pullRequest);
    },
    deliver: send,
    async merge(files) {
      const before = await upstream
        .git('rev-parse', '--verify', '--quiet', 'refs/heads/main')
        .catch(() => '0'.repeat(40));
      const after = await upstream.commit({ files });
      return send({ kind: 'push', repository, branch: 'main', before, after, forced: false, sender: 'wim' });
    },
    async answer(rootName, action, sender) {
      const delivery = randomUUID();
      const running = (await viewLane(context, repository, rootName))?.running;
      const asked = running && (await askProgress(context, running));
      const deployment = asked?.kind === 'answered' ? asked.deployment : undefined;
      if (deployment?.progress.plan === undefined) throw new Error(`expected a plan of ${rootName}, found none`);
      const seen = digestOf(seenFacts(repository, deployment, deployment.progress.plan));
      const request: ConsoleRequest = { action, rootName, deploymentId: deployment.id, seen };
      const shown = { mode: 'token', token: `token of ${sender}` } as const;
      const proof = await sealedProof(shown, delivery, { repository });
      return send({ kind: 'request', repository, request, sender, proof }, delivery);
    },
    shows: (rootName, text) => untilShown(words, `nereid/deploy: ${rootName}`, text),
    async close() {
      await close();
      await environment.close();
      await git.close();
    },
  };
}

async function openWorker(environment: WorkflowEnvironment, git: TestHost, { forge }: WordsOnlyForge) {
  const record = await environmentOf(environment, git);
  const config = readConfig(record, false);
  const context = await createContext(config, record, () => forge);
  if (context.forge === undefined) throw new Error('expected the context of a control worker, found that of a host');
  const workers = await openWorkers(config, context, environment.bundle);
  return {
    context: context satisfies WorkerContext,
    close: async () => {
      await workers.close();
      await context.close();
    },
  };
}

/** The key of a GitHub App is what makes a worker one with the role of control. Nothing uses it here. */
const { privateKey } = makeAppKey();

async function environmentOf({ address, namespace }: WorkflowEnvironment, git: TestHost) {
  const folder = join(git.dir, 'worker');
  const file = join(folder, 'nereid.server.yaml');
  for (const name of ['kept', 'state']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(file, serverFile(folder));
  return {
    PATH: process.env['PATH'],
    NEREID_CONFIG: file,
    GITHUB_APP_ID: '1',
    GITHUB_APP_PRIVATE_KEY: privateKey,
    // It serves git alone: there is nothing at the path of the API.
    GITHUB_API_URL: `${git.server.url}/api/v3`,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    DATA_DIR: join(folder, 'data'),
    WORK_DIR: join(folder, 'work'),
    CONSOLE_URL: 'http://127.0.0.1:4144',
    SHUTDOWN_GRACE: '2s',
    LOG_LEVEL: 'fatal',
    ...KEY_VARIABLES,
    ...SEAL_VARIABLES,
  };
}

function serverFile(folder: string): string {
  const state = join(folder, 'state');
  const tokens = ['ada', 'wim'].map((login) => {
    const scopes = TOKEN_SCOPES.join(', ');
    const sha256 = hashOfToken(`token of ${login}`);
    return `    - { name: ${login}, sha256: ${sha256}, login: ${login}, scopes: [${scopes}], expires: 2999-01-01 }`;
  });
  return `
repositories:
  - match: acme/infra
    roots:
      network: { workflow: network }
      guarded: { workflow: guarded, permissions: { confirm: { teams: [acme/officers] } } }
workflows:
${['network', 'guarded'].map((root) => workflowIn(state, root)).join('\n')}
terraform: { downloads: false, sandbox: none, shared_state: [${state}], sandbox_write: [${state}], reachable: off }
storage: { deployments: "file:${folder}/kept", plans: "file:${folder}/kept", logs: "file:${folder}/kept" }
audit: { to: "file:${folder}/audit" }
console:
  tokens:
${tokens.join('\n')}
`;
}

/** The state is outside of the working tree, which goes away with its deployment. */
function workflowIn(state: string, root: string): string {
  const init = `{ init: { extra_args: ["-backend-config=path=${state}/${root}.tfstate"] } }`;
  return `  ${root}: { plan: [${init}, plan], apply: [apply] }`;
}

/** A plan takes seconds; only what hangs takes minutes. */
const SHOWN_WITHIN_MS = 120_000;

async function untilShown(words: WordsOnlyForge, name: string, text: RegExp): Promise<ShownStatus> {
  const deadline = Date.now() + SHOWN_WITHIN_MS;
  const newest = () => words.statuses().find((status) => status.name === name);
  for (;;) {
    const status = newest();
    if (status !== undefined && (text.test(status.title) || text.test(status.summary))) return status;
    if (Date.now() > deadline)
      throw new Error(`expected ${name} to show ${text.source}, found ${String(status?.title)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
