/** An API server of Kubernetes on this machine. It judges and keeps what it is sent; nothing makes pods of it. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { stringify } from 'yaml';
import { freePort } from '../../background/free-port.ts';
import { startUntilReady } from '../../background/server.ts';
import type { Environment } from '../../toolchain/environment.ts';
import { findEtcd, findKubernetes } from './find-kubernetes.ts';

export interface ApiServer {
  /** The path of a file for clients, which may do everything. */
  readonly kubeconfig: string;
  /** Sends an object to be made, and returns the status and what the server says. */
  post(path: string, body: object): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly message: string;
}

/** It is ready within ten seconds; a loaded machine may take many times that. */
const READY_TIMEOUT_MS = 300_000;
const ANSWER_TIMEOUT_MS = 60_000;

export async function startApiServer(env: Environment): Promise<ApiServer> {
  const [program, etcd] = [await findKubernetes('kube-apiserver', env), await findEtcd(env)];
  const folder = await mkdtemp(path.join(tmpdir(), 'kubernetes-'));
  const stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  try {
    const database = await startEtcd(etcd, folder, stack);
    const server = await startServer(program, folder, database, stack);
    return { ...server, stop: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startEtcd(program: string, folder: string, stack: AsyncDisposableStack): Promise<string> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const argv = [
    program,
    ...['--data-dir', path.join(folder, 'etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ] as [string, ...string[]];
  const started = await startUntilReady({
    name: 'etcd',
    process: { argv, env: {}, cwd: folder, logFile: path.join(folder, 'etcd.log') },
    isReady: async () => (await fetch(`${client}/health`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  stack.defer(() => started.stop());
  return client;
}

async function startServer(
  program: string,
  folder: string,
  database: string,
  stack: AsyncDisposableStack,
): Promise<Omit<ApiServer, 'stop'>> {
  const file = (name: string) => path.join(folder, name);
  const port = await freePort();
  const token = randomBytes(32).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file('accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  await writeFile(file('tokens.csv'), `${token},tester,tester,system:masters\n`, { mode: 0o600 });
  const argv = [
    program,
    ...['--etcd-servers', database, '--secure-port', String(port), '--bind-address', '127.0.0.1'],
    ...['--cert-dir', folder, '--token-auth-file', file('tokens.csv'), '--authorization-mode', 'RBAC'],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-cluster-ip-range', '10.96.0.0/16'],
    ...['--service-account-key-file', file('accounts.pem'), '--service-account-signing-key-file', file('accounts.pem')],
    // The name of a node leads nowhere.
    ...['--kubelet-preferred-address-types', 'InternalIP'],
  ] as [string, ...string[]];
  const connect = async () => ({ port, token, ca: await readFile(file('apiserver.crt'), 'utf8') });
  const started = await startUntilReady({
    name: 'kube-apiserver',
    process: { argv, env: {}, cwd: folder, logFile: file('server.log') },
    isReady: async () => (await send(await connect(), 'GET', '/readyz')).status === 200,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  stack.defer(() => started.stop());
  const connection = await connect();
  await writeFile(file('kubeconfig'), stringify(kubeconfigOf(connection)), { mode: 0o600 });
  return { kubeconfig: file('kubeconfig'), post: (at, body) => send(connection, 'POST', at, body) };
}

interface ServerConnection {
  readonly port: number;
  readonly token: string;
  /** PEM. */
  readonly ca: string;
}

function kubeconfigOf({ port, token, ca }: ServerConnection): object {
  const server = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: server }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
}

function send({ port, token, ca }: ServerConnection, method: string, at: string, body?: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { host: '127.0.0.1', port, path: at, method, ca, headers, timeout: ANSWER_TIMEOUT_MS };
  const sent = request(options, (response) => {
    json(response).then(
      (answer) => resolve({ status: response.statusCode ?? 0, message: messageIn(answer) }),
      // `/readyz` answers with a word.
      () => resolve({ status: response.statusCode ?? 0, message: '' }),
    );
  });
  sent.once('error', reject);
  sent.once('timeout', () => sent.destroy(new Error(`expected an answer within ${ANSWER_TIMEOUT_MS} ms, found none`)));
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** Of a status; other objects have none. */
function messageIn(answer: unknown): string {
  const found = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : '';
  return String(found);
}
