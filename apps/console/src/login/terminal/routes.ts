/** How people log in from a terminal, and out. */
import { API_PATH, LOGIN_OPERATIONS, SESSION_PREFIX, type LoginOperationName } from '@nereid/api';
import { ProviderUnavailableError, type Identify } from '@nereid/identity';
import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { badBody, BODY_PARSERS, foundIn, messageOfBody } from '../../platform/http/bodies.ts';
import { sendProblem } from '../../platform/http/send-problem.ts';
import { bearerOf } from '../session/bearer.ts';
import { beginDeviceLogin, finishDeviceLogin } from './device-login.ts';
import { logOut, renewSession } from './session-steps.ts';
import { messageOf, NO_LOGIN, NO_SESSION, unavailable, type Step } from './step.ts';
import type { TerminalLogin } from './terminal-login.ts';

export interface TerminalRouteSources {
  /** Undefined where nobody has a session. */
  readonly login: TerminalLogin | undefined;
  readonly identify: Identify;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Asked<Name extends LoginOperationName> {
  readonly body: z.output<(typeof LOGIN_OPERATIONS)[Name]['body']>;
  /** Of the client, where it counts. */
  readonly address: string | undefined;
  /** Of the person; undefined where the request has none. */
  readonly session: string | undefined;
}

export function terminalRoutes({ login, identify, logger }: TerminalRouteSources): Router {
  const router = Router({ strict: true });

  function add<Name extends LoginOperationName>(name: Name, run: (asked: Asked<Name>) => Promise<Step>): void {
    const { path, body: schema } = LOGIN_OPERATIONS[name];
    const step = async (request: Request): Promise<Step> => {
      const read = schema.safeParse(request.body ?? {});
      if (!read.success) return messageOf(badBody(foundIn(read.error)));
      const body = read.data as Asked<Name>['body']; // By the schema of the same operation.
      try {
        return await run({ body, address: login?.limits.addressOf(request), session: sessionIn(request) });
      } catch (error) {
        if (!(error instanceof ProviderUnavailableError)) throw error;
        logger.warn({ err: error }, 'nobody can log in or out from a terminal');
        return unavailable(login?.provider.name ?? '');
      }
    };
    router.post(API_PATH + path, BODY_PARSERS, async (request: Request, response: Response) => {
      send(response, await step(request));
    });
  }

  add('beginDeviceLogin', async ({ address }) => (login === undefined ? NO_LOGIN : beginDeviceLogin(login, address)));
  add('finishDeviceLogin', async ({ body: { device }, address }) =>
    login === undefined ? NO_LOGIN : finishDeviceLogin(login, identify, { device, address }),
  );
  add('renewSession', async ({ session }) =>
    login === undefined || session === undefined ? NO_SESSION : renewSession(login, session),
  );
  add('logOut', async ({ session }) =>
    login === undefined || session === undefined ? NO_SESSION : logOut(login, session, logger),
  );
  router.use(unreadableBody);
  return router;
}

function sessionIn({ headers }: Request): string | undefined {
  const token = bearerOf(headers.authorization);
  return token?.startsWith(SESSION_PREFIX) ? token : undefined;
}

function send(response: Response, step: Step): void {
  if (step.kind === 'answer') {
    response.json(step.of);
    return;
  }
  if (step.retryAfterS !== undefined) response.set('retry-after', String(step.retryAfterS));
  if (step.message.status === 401) response.set('www-authenticate', 'Bearer');
  sendProblem(response, step.message);
}

const unreadableBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const message = messageOfBody(error);
  if (message === undefined) next(error);
  else sendProblem(response, message);
};
