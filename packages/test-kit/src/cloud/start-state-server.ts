/** Keeps one state as Terraform's backend `http` wants it, with its lock: nothing frees that but a run, or `force-unlock`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StateServer extends AsyncDisposable {
  readonly url: string;
  /** Arguments of an init. */
  readonly backendConfig: readonly string[];
  /** As if a run that is gone had locked the state. */
  lock(info: { readonly ID: string; readonly Who: string }): void;
  lockedBy(): string | undefined;
}

interface LockInfo {
  readonly Who: string;
}

export async function startStateServer(): Promise<StateServer> {
  let lock: string | undefined;
  let state: string | undefined;

  /** Status and body for a request. */
  function answer(method: string | undefined, body: string): readonly [status: number, body?: string] {
    switch (method) {
      case 'GET':
        return state === undefined ? [404] : [200, state];
      case 'POST':
        state = body;
        return [200];
      case 'LOCK':
        if (lock !== undefined) return [423, lock];
        lock = body;
        return [200];
      case 'UNLOCK':
        if (lock === undefined) return [409];
        lock = undefined;
        return [200];
      default:
        return [405];
    }
  }

  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const [status, text] = answer(request.method, body);
      response.writeHead(status).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // An address of TCP, because that is what it listens on.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  return {
    url,
    backendConfig: ['address', 'lock_address', 'unlock_address'].map((name) => `-backend-config=${name}=${url}`),
    lock: (info) => {
      lock = JSON.stringify(info);
    },
    lockedBy: () => (lock === undefined ? undefined : (JSON.parse(lock) as LockInfo).Who), // As a run or `lock` wrote it.
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // Node's streams of bytes give nothing else.
  return Buffer.concat(chunks).toString();
}
