import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitEnvironment } from '../git/run-git.ts';

interface GitRequest {
  /** The folder that holds `<owner>/<name>.git`. */
  readonly projectRoot: string;
  /** `/<owner>/<name>.git/info/refs` and the like. */
  readonly path: string;
  /** `service=git-upload-pack`; without the question mark. */
  readonly query: string;
  /** The login of the App or the person that pushes. */
  readonly user: string;
}

/** The headers of a CGI answer are a few lines; longer ones mean that it is no CGI answer. */
const HEADERS_LIMIT_BYTES = 64 * 1024;

/** Lets `git http-backend` answer one request of git's smart HTTP protocol. Resolves when the answer is sent. */
export async function serveGit(request: IncomingMessage, response: ServerResponse, git: GitRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const child = spawn('git', ['http-backend'], { env: { ...gitEnvironment(), ...cgiEnvironment(request, git) } });
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  response.on('close', () => {
    child.kill();
    resolve(undefined);
  });
  child.on('error', () => {
    refuse(response);
    resolve(undefined);
  });
  child.on('close', () => {
    resolve(undefined);
  });
  relay(child.stdout, response);
  return promise;
}

function relay(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1 && head.length < HEADERS_LIMIT_BYTES) return;
    output.off('data', readHead);
    output.off('end', noHead);
    writeHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
    output.pipe(response);
  };
  const noHead = (): void => {
    refuse(response);
  };
  output.on('data', readHead);
  output.on('end', noHead);
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}

function refuse(response: ServerResponse): void {
  if (!response.headersSent) response.statusCode = 500;
  response.end();
}

function cgiEnvironment(request: IncomingMessage, git: GitRequest): Record<string, string> {
  return {
    GIT_PROJECT_ROOT: git.projectRoot,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: git.path,
    QUERY_STRING: git.query,
    REQUEST_METHOD: request.method ?? 'GET',
    REMOTE_USER: git.user,
    REMOTE_ADDR: request.socket.remoteAddress ?? '',
    ...variable('CONTENT_TYPE', request.headers['content-type']),
    ...variable('CONTENT_LENGTH', request.headers['content-length']),
    ...variable('HTTP_CONTENT_ENCODING', request.headers['content-encoding']),
    ...variable('GIT_PROTOCOL', request.headers['git-protocol']),
  };
}

function variable(name: string, value: string | string[] | undefined): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {};
}
