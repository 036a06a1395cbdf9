/** What holds for every operation of the API, whichever route answers it. */
import { API_PATH, OPERATIONS, type OpenApi, type Operation } from '@nereid/api';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { sendProblem } from './send-problem.ts';

/** Comes before the routes: the document says what may be asked, and how. */
export function apiRules({ paths }: Pick<OpenApi, 'paths'>): RequestHandler {
  const methodsAt = createMethodsAt(paths);
  const router = Router({ strict: true });
  router.use(API_PATH, (request, response, next) => {
    const methods = methodsAt(request.path);
    if (request.method === 'OPTIONS' && methods.length > 0) response.status(204).set('allow', methods.join(', ')).end();
    else if (methods.length > 0 && !methods.includes(request.method)) refuseMethod(request, response, methods);
    else next();
  });
  router.use(API_PATH, refuseEmpty);
  for (const operation of Object.values<Operation>(OPERATIONS))
    router.get(API_PATH + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), refuseOthers(operation));
  return router;
}

function refuseMethod({ method }: Request, response: Response, methods: readonly string[]): void {
  response.set('allow', methods.join(', '));
  const sentence = `Expected ${methods.join(' or ')}, found ${method}.`;
  sendProblem(response, { status: 405, title: 'Not understood', sentence });
}

/** Forms send their empty fields, programs do not: an empty filter is a mistake, which must not look like no filter. */
const refuseEmpty: RequestHandler = ({ query }, response, next) => {
  const [name] = Object.entries(query).find(([, value]) => value === '') ?? [];
  if (name === undefined) next();
  else refuseQuery(response, `Expected a value of “${name.slice(0, NAME_SHOWN)}”, found none: leave it out.`);
};

/** What is no name or id names nothing: storage is not asked. */
function refuseOthers({ parameters, query: schema }: Operation): RequestHandler {
  return ({ query, params }, response, next) => {
    if (parameters?.safeParse(params).success === false) {
      sendProblem(response, NO_SUCH_THING);
      return;
    }
    const { error } = schema.safeParse(query);
    const name = error?.issues[0]?.path.join('.');
    if (name === undefined) next();
    else if (Array.isArray(query[name])) refuseQuery(response, `“${name}” is given more than once.`);
    else refuseQuery(response, `“${name}” is not what the description of this operation says.`);
  };
}

const NO_SUCH_THING = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such thing, or none that you may see.',
};

/** Names of parts of a query come from anybody. */
const NAME_SHOWN = 30;

function refuseQuery(response: Response, sentence: string): void {
  sendProblem(response, { status: 400, title: 'Not understood', sentence });
}

/** The methods of a path below the API's top; none where there is no such path. */
function createMethodsAt(paths: OpenApi['paths']): (path: string) => readonly string[] {
  const known = Object.entries(paths).map(([path, item]) => {
    const methods = Object.keys(item).flatMap((method) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    return { isPath: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`), methods };
  });
  return (path) => [...new Set(known.filter(({ isPath }) => isPath.test(path)).flatMap(({ methods }) => methods))];
}
