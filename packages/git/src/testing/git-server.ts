/** A git server over HTTP, for tests and benchmarks: git's own `http-backend` behind `node:http`, on a port of its own. */
import { spawn } from 'node:child_process';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { answerWithFault, cutShort, type GitFault } from './git-faults.ts';
import { answerLfs, createLfsStore, type LfsStore } from './lfs-server.ts';
import { openTestRepository, runTestGit, type TestRepository } from './test-repository.ts';

export interface GitServer {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** What was asked, oldest first. */
  readonly requests: readonly GitRequest[];
  /** The contents in Git LFS of all its repositories. */
  readonly lfs: LfsStore;
  createRepository(path: string): Promise<TestRepository>;
  close(): Promise<void>;
}

export interface GitRequest {
  readonly path: string;
  readonly authorization: string | undefined;
}

export interface GitServerOptions {
  /** An existing, empty folder. */
  readonly dir: string;
  /** The only value of the Authorization header that is let in; absent: everybody is. */
  readonly authorization?: string;
  /** False: the server knows no partial clones. */
  readonly filters?: boolean;
  /** Asked for each request that is let in, counted from 0. */
  readonly faultOf?: (index: number) => GitFault | undefined;
}

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const { dir, authorization, filters = true, faultOf } = options;
  const requests: GitRequest[] = [];
  const lfs = createLfsStore();
  let admitted = 0;
  // Without `git` before it, which would be one more process for each request.
  const backend = join((await runTestGit(dir, ['--exec-path'])).trim(), 'git-http-backend');
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const fault = faultOf?.(admitted);
    admitted += 1;
    if (fault !== undefined && fault !== 'cut short') {
      answerWithFault(fault, request, response);
      return;
    }
    const answer = fault === undefined ? response : cutShort(response);
    if (!answerLfs(lfs, request, answer)) answerWithGit({ backend, dir }, request, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');

  return {
    url: `http://127.0.0.1:${address.port}/`,
    requests,
    lfs,
    async createRepository(path) {
      const repository = join(dir, `${path}.git`);
      await rm(repository, { recursive: true, force: true, maxRetries: 5 });
      await mkdir(repository, { recursive: true });
      await runTestGit(repository, ['init', '--bare', '--quiet', '--template=', '--initial-branch=main', '.']);
      await appendFile(
        join(repository, 'config'),
        `[uploadpack]\n\tallowFilter = ${String(filters)}\n\tallowAnySHA1InWant = true\n`,
      );
      return openTestRepository(repository);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Served {
  readonly backend: string;
  readonly dir: string;
}

function answerWithGit({ backend, dir }: Served, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const child = spawn(backend, {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: dir,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
  body.pipe(child.stdin);
  child.stdin.on('error', () => request.destroy());
  forwardAnswer(child.stdout, response);
}

/** CGI: header lines, an empty line, the body. */
function forwardAnswer(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    output.off('data', readHead);
    const headers = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': '));
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(
      Number.parseInt(status, 10),
      headers.filter(([name]) => name !== 'Status').map(([name = '', value = '']): [string, string] => [name, value]),
    );
    response.write(head.subarray(end + 4));
    output.pipe(response);
  };
  output.on('data', readHead);
  output.once('end', () => response.end());
}
