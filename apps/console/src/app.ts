import { fileURLToPath } from 'node:url';
import { healthListener } from '@nereid/process';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { securityHeaders } from './access/security-headers.ts';
import type { Context } from './context.ts';
import { actionRoutes } from './actions/routes.ts';
import { fleetRoutes } from './fleet/routes.ts';
import { deploymentRoutes } from './deployments/routes.ts';
import { personRoutes } from './login/routes.ts';
import type { Message } from './html/send-message.ts';
import { sendTo } from './html/send-to.ts';
import { pullRequestRoutes } from './pulls/routes.ts';
import { readinessOf } from './readiness.ts';
import { trailRoutes } from './trail/routes.ts';

/** Every route of the console: pages, job logs, the API, health. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(securityHeaders);
  app.get(
    ['/healthz', '/readyz'],
    healthListener(() => readinessOf(context)),
  );
  app.use('/assets', express.static(ASSETS, { index: false, redirect: false, cacheControl: false }));
  app.use(deploymentRoutes(context));
  app.use(actionRoutes(context));
  app.use(personRoutes(context));
  app.use(pullRequestRoutes(context));
  app.use(trailRoutes(context));
  app.use(fleetRoutes(context));
  app.use((request, response) => {
    sendTo(request)(response, NOT_FOUND);
  });
  app.use(errorHandler(context));
  return app;
}

const NOT_FOUND: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'There is no such page, or this link does not open it.',
};

const BAD_ADDRESS: Message = {
  status: 400,
  title: 'Not understood',
  sentence: 'This address has a part that is not encoded as addresses are.',
};

const FAILED: Message = {
  status: 500,
  title: 'Something went wrong',
  sentence: 'This page could not be made. The log of the console says why.',
};

const ASSETS = fileURLToPath(new URL('assets', import.meta.url));

function errorHandler({ logger }: Context): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const isBad = error instanceof URIError;
    // The path only: the query carries a key.
    if (!isBad) logger.error({ err: error, path: request.path }, 'request failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    sendTo(request)(response, isBad ? BAD_ADDRESS : FAILED);
  };
}
