import { createHash, randomBytes } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import type { ApiFault } from '../faults/faults.ts';
import { waitUnlessClosed } from '../faults/wait.ts';
import type { World } from '../world.ts';
import { ApiRefusal, notFound, type Answer } from './answer.ts';
import { answerWithin, authenticate } from './access.ts';
import { activityRoutes } from './activity-routes.ts';
import { appRoutes } from './app-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deploymentRoutes } from './deployment-routes.ts';
import { manifestRoutes } from './manifest-routes.ts';
import { pullRequestRoutes } from './pull-request-routes.ts';
import { refundRequest, spendRequest } from './rate-limit.ts';
import { commitRoute, repositoryRoutes } from './repository-routes.ts';
import { toPattern, type Caller, type Route } from './route.ts';
import { teamRoutes } from './team-routes.ts';
import { userRoutes } from './user-routes.ts';
import { workflowRunRoutes } from './workflow-run-routes.ts';

/** Far above any body that the API takes, so that a text that is too long is refused by its own rule. */
const BODY_LIMIT = '10mb';

/** Enough of a refused body to see what is wrong with it. */
const SHOWN_BODY_LENGTH = 2_000;

const ROUTES = [
  ...activityRoutes,
  ...appRoutes,
  ...manifestRoutes,
  ...checkRoutes,
  ...repositoryRoutes,
  ...pullRequestRoutes,
  ...deliveryRoutes,
  ...deploymentRoutes,
  ...teamRoutes,
  ...userRoutes,
  ...workflowRunRoutes,
  commitRoute,
].map((route) => ({ ...route, name: `${route.method} ${route.path}`, pattern: toPattern(route.path) }));

interface Matched {
  readonly route: Route;
  readonly name: string;
  readonly params: Record<string, string>;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly faults: readonly ApiFault[];
}

/** GitHub's REST API, as far as an App that deploys needs it. */
export function createApi(world: World): Router {
  const router = express.Router();
  router.use(express.text({ type: () => true, limit: BODY_LIMIT }));
  router.use(async (request, response) => {
    const matched = match(request);
    const name = matched?.name ?? `${request.method} (unknown)`;
    world.traffic.begin();
    const faults = world.faults.meetRequest(`${request.method} ${request.path}`, textOf(request));
    const answer = await settle(world, { request, response, faults }, matched).finally(() => {
      world.traffic.end();
    });
    world.traffic.count(name, answer.status);
    if (faults.some(({ kind }) => kind === 'lost answer')) {
      response.destroy();
      return;
    }
    response.status(answer.status).set(answer.headers ?? {});
    if (answer.status === 304 || answer.body === undefined) response.end();
    else response.json(answer.body);
  });
  return router;
}

/** Every answer is made here, so that every refusal has the form of GitHub's JSON. */
async function settle(world: World, { request, response, faults }: Exchange, matched?: Matched): Promise<Answer> {
  let headers: Record<string, string> = {
    'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
    'x-github-media-type': 'github.v3; format=json',
  };
  try {
    await meetFaults(faults, response);
    const caller = await authenticate(world, request.get('authorization'));
    headers = { ...headers, ...spendRequest(world, caller) };
    const answer = await answerRequest(world, request, caller, matched);
    if (matched) checkAnswer(world, matched, answer);
    return withEntityTag(world, request, caller, { ...answer, headers: { ...headers, ...answer.headers } });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const body = { message: error.message, ...(error.errors.length > 0 ? { errors: error.errors } : {}) };
    return {
      status: error.status,
      headers: { ...headers, ...error.headers },
      body: { ...body, documentation_url: 'https://docs.github.com/rest', status: String(error.status) },
    };
  }
}

async function answerRequest(world: World, request: Request, caller: Caller, matched?: Matched): Promise<Answer> {
  if (!matched) {
    const reasons = ['this route is not in the stand-in'];
    world.traffic.refuse({ kind: 'not in stand-in', ...described(request), reasons });
    throw notFound();
  }
  const query = Object.fromEntries(new URL(request.originalUrl, world.url).searchParams);
  const body = parseBody(world, request);
  const path = matched.params;
  const problems = world.contract.checkRequest(matched.name, { path, query, body });
  if (problems.length > 0) {
    const reasons = problems.map(({ field, message }) => `${field} ${message}`);
    world.traffic.refuse({ kind: 'invalid', ...described(request), reasons });
    throw new ApiRefusal(422, `Invalid request.\n\n${reasons.join('\n')}`, problems);
  }
  const address = `${world.apiUrl}${request.path}`;
  return answerWithin(matched.route, {
    ...{ world, caller, params: path, query, body, address },
    authorization: request.get('authorization'),
  });
}

function match({ method, path }: Request): Matched | undefined {
  for (const { name, pattern, ...route } of ROUTES) {
    const found = route.method === method ? pattern.exec(path) : null;
    if (found) return { route, name, params: decode(found.groups ?? {}) };
  }
  return undefined;
}

function decode(groups: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return { ...groups };
  }
}

function parseBody(world: World, request: Request): unknown {
  const text = textOf(request);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    world.traffic.refuse({ kind: 'invalid', ...described(request), reasons: ['the body is not JSON'] });
    throw new ApiRefusal(400, 'Problems parsing JSON');
  }
}

function described(request: Request) {
  return { method: request.method, path: request.url, body: textOf(request).slice(0, SHOWN_BODY_LENGTH) };
}

/** Without a body, the text parser leaves something other than a string. */
function textOf({ body }: Request): string {
  return typeof body === 'string' ? body : '';
}

async function meetFaults(faults: readonly ApiFault[], response: Response): Promise<void> {
  for (const fault of faults) {
    switch (fault.kind) {
      case 'slow':
        await waitUnlessClosed(fault.ms, response);
        break;
      case 'failure':
        throw new ApiRefusal(fault.status, 'Server Error');
      case 'refusal':
        throw new ApiRefusal(fault.status, REFUSALS[fault.status]);
      case 'secondary rate limit': {
        const headers = fault.retryAfterS === undefined ? {} : { 'retry-after': String(fault.retryAfterS) };
        throw new ApiRefusal(fault.status ?? 403, LIMITED, [], headers);
      }
      case 'lost answer':
        // It takes effect once the answer is ready.
        break;
    }
  }
}

const LIMITED = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';

const REFUSALS = {
  401: 'Bad credentials',
  403: 'Resource not accessible by integration',
  404: 'Not Found',
  422: 'Validation Failed',
} as const;

function checkAnswer(world: World, { name }: Matched, { status, body }: Answer): void {
  const problems = world.checkAnswers ? world.contract.checkAnswer(name, status, body) : [];
  if (problems.length > 0) throw new Error(`the answer to ${name} is not GitHub's: ${JSON.stringify(problems)}`);
}

/** An answer that the caller already has is not sent again, and does not count against the rate limit. */
function withEntityTag(world: World, request: Request, caller: Caller, answer: Answer): Answer {
  if (request.method !== 'GET' || answer.status !== 200) return answer;
  const etag = `"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`;
  const headers = { ...answer.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' };
  const known = (request.get('if-none-match') ?? '').split(/, */).map((tag) => tag.replace(/^W\//, ''));
  if (!known.includes(etag)) return { ...answer, headers };
  return { status: 304, headers: { ...headers, ...refundRequest(world, caller) } };
}
