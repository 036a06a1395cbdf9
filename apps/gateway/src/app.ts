import { healthListener } from '@nereid/process';
import express, { type Express } from 'express';
import type { Context } from './context.ts';
import { issuerRoutes } from './issuer/issuer-routes.ts';
import { readinessOf } from './readiness.ts';
import { limitBodies } from './webhook/bodies-in-flight.ts';
import { BODIES_LIMIT, judgeHeaders, readBody, webhookErrorHandler, webhookRoute } from './webhook/webhook-route.ts';

/** Every route of the gateway. Responses are JSON with a `message`, a sentence. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get(
    ['/healthz', '/readyz'],
    healthListener(() => readinessOf(context)),
  );
  if (context.issuer) app.use(context.issuer.path, issuerRoutes(context.issuer));
  app.post('/events', judgeHeaders(context), limitBodies(BODIES_LIMIT), readBody(), webhookRoute(context));
  app.use((_request, response) => {
    response.status(404).json({ message: 'expected POST /events, GET /healthz or GET /readyz' });
  });
  app.use(webhookErrorHandler(context));
  return app;
}
