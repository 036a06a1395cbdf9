/** What holds for every operation of the API, whichever route answers it. */
import { API_PATH, type OpenApi } from '@nereid/api';
import type { Request, RequestHandler, Response } from 'express';
import { sendProblem } from '../html/send-problem.ts';

/** Forms send their empty fields, programs do not: an empty filter is a mistake, which must not look like no filter. */
export const refuseEmpty: RequestHandler = ({ query }, response, next) => {
  const empty = Object.entries(query).find(([, value]) => value === '');
  if (empty === undefined) {
    next();
    return;
  }
  const [name] = empty;
  const sentence = `Expected a value of “${name.slice(0, NAME_SHOWN)}”, found none: leave it out.`;
  sendProblem(response, { status: 400, title: 'Not understood', sentence });
};

/** Names of parts of a query come from anybody. */
const NAME_SHOWN = 30;

/** Comes after all routes: an operation of the document that has another method says which. */
export function refuseOtherMethods({ paths }: Pick<OpenApi, 'paths'>): RequestHandler {
  const known = Object.entries(paths).map(([path, item]) => ({ isPath: matcherOf(path), allow: methodsOf(item) }));
  return (request: Request, response: Response, next) => {
    const path = request.path.slice(API_PATH.length);
    const found = request.path.startsWith(API_PATH) ? known.filter(({ isPath }) => isPath.test(path)) : [];
    const allow = [...new Set(found.flatMap((one) => one.allow))];
    if (allow.length === 0 || allow.includes(request.method)) {
      next();
      return;
    }
    response.set('allow', allow.join(', '));
    const sentence = `Expected ${allow.join(' or ')}, found ${request.method}.`;
    sendProblem(response, { status: 405, title: 'Not understood', sentence });
  };
}

function matcherOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function methodsOf(item: OpenApi['paths'][string]): readonly string[] {
  return Object.keys(item).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
}
