import { createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { requestWorkflowId, type OperatorRequestEvent, type IntakeInput, type LoginProof } from '@nereid/domain/intake';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import { createStartIntake, type StartIntake } from '@nereid/process';
import { createKeyPair, createOpener, createSealKeyPair, createVerifier, openEnvelope } from '@nereid/signature';
import { environmentOfThisFile } from '@nereid/test-kit/environment-of-this-file';
import type { WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { Client, Connection } from '@temporalio/client';
import type { KnownVisitor } from '../login/visitor/visitor.ts';
import { createRequests, type Answered, type PersonRequest, type Requests } from './make-request.ts';

const signing = createKeyPair();
const sealing = createSealKeyPair();
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 1 };
const PROOF: LoginProof = { mode: 'token', token: 'secret' };
const ALICE: KnownVisitor = { kind: 'person', person: { login: 'alice', id: 7 }, proof: PROOF, by: 'header' };

/** Nobody works on intake here, so no answer comes. */
const ANSWER_MS = 300;

/** For what does come; only what hangs takes minutes. */
const PATIENTLY_MS = 120_000;

const environment = environmentOfThisFile();
let requests: Requests;
let patient: Requests;
let key = 0;

beforeAll(() => {
  requests = requestsOver(environment);
  patient = requestsOver(environment, { answerMs: PATIENTLY_MS });
});

beforeEach(() => {
  key += 1;
});

test('a request is a workflow, signed by the console, with the proof sealed for this request alone', async () => {
  const answered = await requests.make(anUnlock());

  expect(answered).toMatchObject({ kind: 'pending' });
  const [input] = await startedWith('id' in answered ? answered.id : '');
  const { body: received } = input as IntakeInput;
  expect(received).toMatchObject({ event: { kind: 'request', sender: 'alice', senderId: 7, repository: REPOSITORY } });
  expect(JSON.stringify(input)).not.toContain('secret');
  const verifier = createVerifier([createPublicKey(signing.publicKey)]);
  await openEnvelope(verifier, 'request/person', input as IntakeInput, {});
  const opener = createOpener([createPrivateKey(sealing.privateKey)]);
  const proof = received.event.kind === 'request' ? received.event.proof : '';
  const opened = await opener.open({ subject: received.delivery, repository: 'acme/infra' }, proof);
  expect(JSON.parse(opened.secret)).toEqual(PROOF);
  await expect(opener.open({ subject: 'another', repository: 'acme/infra' }, proof)).rejects.toThrow('something else');
});

test('a request for a host names no repository, and its proof opens for requests of hosts alone', async () => {
  const answered = await requests.make({ request: { action: 'drain', hostId: 'h1' }, visitor: ALICE });

  const [input] = await startedWith('id' in answered ? answered.id : '');
  const { body: received } = input as IntakeInput;
  const { proof, ...event } = received.event as OperatorRequestEvent; // What it is, the next line says.
  const request = { action: 'drain', hostId: 'h1' };
  expect(event).toEqual({ kind: 'operator-request', request, sender: 'alice', senderId: 7 });
  const verifier = createVerifier([createPublicKey(signing.publicKey)]);
  await openEnvelope(verifier, 'request/person', input as IntakeInput, {});
  const opener = createOpener([createPrivateKey(sealing.privateKey)]);
  const subject = received.delivery;
  expect(JSON.parse((await opener.open({ subject, repository: 'operators' }, proof)).secret)).toEqual(PROOF);
  await expect(opener.open({ subject, repository: 'acme/infra' }, proof)).rejects.toThrow('something else');
});

test('the same key is one request, however often it comes; for another request it is refused', async () => {
  const [first, second] = [await requests.make(anUnlock()), await requests.make(anUnlock())];
  const other = await patient.make(anUnlock('database'));

  expect(second).toEqual(first);
  expect(other).toEqual({ kind: 'conflict' });
});

test('keys of different people have nothing to do with each other, and nobody reads the answers of others', async () => {
  const bob: KnownVisitor = { ...ALICE, person: { login: 'bob' } };

  const ofAlice = await requests.make(anUnlock());
  const ofBob = await requests.make({ ...anUnlock('database'), visitor: bob });

  expect(ofBob.kind).toBe('pending');
  const { id = '' } = 'id' in ofAlice ? ofAlice : {};
  expect(await requests.answerTo(bob, id)).toBeUndefined();
  expect(await saidTo(ALICE, id)).toEqual(ofAlice);
});

test('what is no id, or one that nobody was given, has no answer', async () => {
  const ofAlice = await requests.make(anUnlock());
  const { id = '' } = 'id' in ofAlice ? ofAlice : {};

  expect(await requests.answerTo(ALICE, 'delivery/1')).toBeUndefined();
  expect(
    await requests.answerTo(
      ALICE,
      id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toBeUndefined();
});

test('the result of the workflow is the answer; one that failed says why', async () => {
  const done = await requests.make(anUnlock());
  const { id = '' } = 'id' in done ? done : {};
  await environment.client.workflow.getHandle(requestWorkflowId(id)).terminate('the operator ended it');

  expect(await patient.answerTo(ALICE, id)).toEqual({
    kind: 'failed',
    id,
    why: expect.stringContaining('the operator ended it'),
  });
});

test('while Temporal is away nothing is asked for, and it is said so', async () => {
  let started = 0;
  const startIntake = () => {
    started += 1;
    return Promise.resolve({ kind: 'accepted' } as const);
  };

  expect(await requestsOver(environment, { startIntake, isReachable: false }).make(anUnlock())).toEqual({
    kind: 'unavailable',
  });
  expect(started).toBe(0);
});

test('what Temporal refuses was not done; of an answer that was late, nobody can say that', async () => {
  const after = (nothingStarted: boolean) => {
    const startIntake = () => Promise.resolve({ kind: 'unavailable', cause: 'late', nothingStarted } as const);
    return requestsOver(environment, { startIntake }).make(anUnlock());
  };

  expect(await after(true)).toEqual({ kind: 'unavailable' });
  expect(await after(false)).toEqual({ kind: 'uncertain', id: expect.stringMatching(/^[\da-f]{16}-[\da-f]{32}$/) });
});

test('nobody waits for long for a Temporal that says nothing', async () => {
  const made = await requests.make(anUnlock());
  const { id = '' } = 'id' in made ? made : {};
  await using silent = await aSilentServer();
  const client = new Client({ connection: Connection.lazy({ address: silent.address }) });

  expect(await requestsOver({ client }).answerTo(ALICE, id)).toEqual({ kind: 'silent' });
  await client.connection.close();
});

/** Temporal may take longer to say that a request is under way than a test waits for its answer. */
async function saidTo(visitor: KnownVisitor, id: string): Promise<Answered | undefined> {
  for (;;) {
    const said = await requests.answerTo(visitor, id);
    if (said?.kind !== 'silent') return said;
  }
}

/** Takes connections, and answers nothing on them. */
async function aSilentServer(): Promise<AsyncDisposable & { readonly address: string }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return {
    address: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Staged {
  readonly startIntake?: StartIntake;
  readonly isReachable?: boolean;
  readonly answerMs?: number;
}

function requestsOver(
  { client }: Pick<WorkflowEnvironment, 'client'>,
  { startIntake, isReachable = true, answerMs = ANSWER_MS }: Staged = {},
): Requests {
  const keys = { signing: createPrivateKey(signing.privateKey), sealing: createPublicKey(sealing.publicKey) };
  return createRequests({
    keys,
    startIntake: startIntake ?? createStartIntake(client, PATIENTLY_MS),
    isTemporalReachable: () => Promise.resolve(isReachable),
    client,
    answerMs,
  });
}

function anUnlock(rootName = 'network'): PersonRequest {
  return {
    repository: REPOSITORY,
    request: { action: 'unlock', rootName, deployment: 'd0' },
    visitor: ALICE,
    idempotencyKey: `key-${key}`,
  };
}

async function startedWith(id: string): Promise<readonly unknown[]> {
  const handle = environment.client.workflow.getHandle(requestWorkflowId(id));
  expect((await handle.describe()).type).toBe(WORKFLOW.intake);
  const { events } = await handle.fetchHistory();
  const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return payloads.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as unknown);
}
