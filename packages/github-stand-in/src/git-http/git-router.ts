import express, { type Request, type Response, type Router } from 'express';
import { announcePush } from '../events/announce-push.ts';
import { permits } from '../auth/installation-permissions.ts';
import { findTokenHolder } from '../auth/tokens.ts';
import { movesBetween } from '../events/branch-move.ts';
import type { ApiFault } from '../faults/faults.ts';
import { waitUnlessClosed } from '../faults/wait.ts';
import { changeRepository } from '../merge-queue/change-repository.ts';
import { hasRole } from '../state/accounts.ts';
import { findRepository } from '../state/find.ts';
import type { Repository, Token } from '../state/model.ts';
import { directoryOf, type World } from '../world.ts';
import { readBranches } from '../git/bare-repository.ts';
import { serveGit } from './http-backend.ts';

type Service = 'git-upload-pack' | 'git-receive-pack';

type Admission = Admitted | { readonly kind: 'refused'; readonly status: number; readonly message: string };

interface Admitted {
  readonly kind: 'admitted';
  readonly repository: Repository;
  readonly service: Service;
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  readonly resource: string;
  /** The login of the App or the person that asks; empty for a fetch without a token. */
  readonly login: string;
}

/** git's smart HTTP protocol: `/<owner>/<name>.git/…`, with or without `.git`. */
export function createGitRouter(world: World): Router {
  const router = express.Router();
  router.all(/^\/[^/]+\/[^/]+\/(?:info\/refs|git-upload-pack|git-receive-pack)$/, async (request, response) => {
    const service = serviceOf(request);
    const faults = world.faults.meetRequest(`${request.method} ${request.path}`);
    const admission = (await meetFaults(faults, response)) ?? admit(world, request);
    if (admission.kind === 'admitted') await serve(world, request, response, admission);
    else refuse(response, admission);
    world.traffic.count(service.replace('-', ' '), response.statusCode);
  });
  return router;
}

/** Git requests can meet two of the API's faults: a slow answer and a failure. */
async function meetFaults(faults: readonly ApiFault[], response: Response): Promise<Admission | undefined> {
  for (const fault of faults) {
    if (fault.kind === 'slow') await waitUnlessClosed(fault.ms, response);
    if (fault.kind === 'failure') return refused(fault.status, 'Server Error');
  }
  return undefined;
}

async function serve(world: World, request: Request, response: Response, call: Admitted): Promise<void> {
  const { repository, resource, login } = call;
  const { owner, name } = repository;
  const query = new URL(request.originalUrl, world.url).searchParams.toString();
  const run = () =>
    serveGit(request, response, {
      projectRoot: world.repositoriesDir,
      path: `/${owner}/${name}.git${resource}`,
      query,
      user: login,
    });
  await (resource === '/git-receive-pack' ? receive(world, call, run) : run());
}

/** Compares the branches before and after a push to see which of them it moved. */
async function receive(world: World, { repository, login }: Admitted, run: () => Promise<void>): Promise<void> {
  await changeRepository(world, repository, async () => {
    const directory = directoryOf(world, repository);
    const before = await readBranches(directory);
    await run();
    const moves = movesBetween(before, await readBranches(directory));
    if (moves.length > 0) await announcePush(world, repository, moves, login);
  });
}

/** Admits a request, or says why it is refused. */
function admit(world: World, request: Request): Admission {
  const [, owner = '', name = '', resource = ''] = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/.+)$/.exec(request.path) ?? [];
  const repository = findRepository(world.store, owner, name);
  const service = serviceOf(request);
  const holder = findTokenHolder(world.store, passwordOf(request));
  if (
    repository &&
    !repository.private &&
    service === 'git-upload-pack' &&
    request.get('authorization') === undefined
  ) {
    return { kind: 'admitted', repository, service, resource, login: '' };
  }
  if (!holder) return refused(401, 'Authentication failed: a token is needed as the password.');
  if (!repository || !sees(holder, repository, 'git-upload-pack')) return refused(404, 'Repository not found.');
  if (!sees(holder, repository, service)) return refused(403, `Permission to ${owner}/${name}.git denied.`);
  return {
    kind: 'admitted',
    repository,
    service,
    resource,
    login: holder.kind === 'person' ? holder.login : world.app.bot,
  };
}

function sees(holder: Token['holder'], repository: Repository, service: Service): boolean {
  const level = service === 'git-upload-pack' ? 'read' : 'write';
  if (holder.kind === 'person') return hasRole(repository, holder.login, level);
  // The token with which the App acts for a person is not for git.
  if (holder.kind === 'user') return false;
  const { installationId, repositoryIds, permissions } = holder;
  const inside = installationId === repository.installationId && (repositoryIds?.includes(repository.id) ?? true);
  return inside && permits(permissions, 'contents', level);
}

/** git sends `Basic <user>:<token>`; the user's name does not matter. */
function passwordOf(request: Request): string {
  const [, encoded = ''] = /^basic (.+)$/i.exec(request.get('authorization') ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

function serviceOf(request: Request): Service {
  const asked = request.path.endsWith('/info/refs') ? request.query['service'] : request.path.split('/').at(-1);
  return asked === 'git-receive-pack' ? 'git-receive-pack' : 'git-upload-pack';
}

function refused(status: number, message: string): Admission {
  return { kind: 'refused', status, message };
}

function refuse(response: Response, { status, message }: Extract<Admission, { kind: 'refused' }>): void {
  if (status === 401) response.set('WWW-Authenticate', 'Basic realm="GitHub"');
  response.status(status).type('text').send(message);
}
