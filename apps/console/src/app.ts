import { healthListener } from '@nereid/process';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { AccessUnknownError } from './access/access-unknown.ts';
import { actionRoutes } from './actions/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { DOCUMENT, documentRoutes } from './api/routes.ts';
import { codecRoutes } from './codec/routes.ts';
import type { Context } from './context.ts';
import { findDeployment } from './deployments/find/find-deployment.ts';
import { createWithPlanText } from './deployments/plan/read-plan-text.ts';
import { deploymentRoutes } from './deployments/routes.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { createWatches, type Pace } from './events/watches.ts';
import { hostRoutes } from './hosts/routes.ts';
import { insightsRoutes } from './insights/routes.ts';
import { laneRoutes } from './lanes/routes.ts';
import { destinationRoutes } from './notifications/routes.ts';
import { personRoutes } from './login/person-routes.ts';
import { loginRoutes } from './login/routes.ts';
import { terminalRoutes } from './login/terminal/routes.ts';
import { holdersOf } from './login/visitor/holders-of.ts';
import { assetRoutes } from './platform/html/assets.ts';
import { apiRules } from './platform/http/api-rules.ts';
import { compress } from './platform/http/compress.ts';
import { NO_PAGE } from './platform/http/lists.ts';
import { readinessOf } from './platform/http/readiness.ts';
import { securityHeaders } from './platform/http/security-headers.ts';
import type { Message } from './platform/http/send-message.ts';
import { sendTo } from './platform/http/send-to.ts';
import { limitRequests } from './platform/limits/request-limits.ts';
import { measureRequests } from './platform/metrics/measure-requests.ts';
import { createFindPullRequest } from './pulls/find-pull-request.ts';
import { pullRequestRoutes } from './pulls/routes.ts';
import { rolloutRoutes } from './rollouts/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { stopRoutes } from './stops/routes.ts';

/** Every route of the console: pages, job logs, the API, health. `pace` is for tests. */
export function createApp(context: Context, pace?: Pace): Express {
  const findPullRequest = createFindPullRequest(context);
  const watches = createWatches({ ...context, findPullRequest }, pace);
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...context.trustedProxies]);
  app.use(measureRequests(context.metrics));
  app.use(securityHeaders);
  app.get(
    ['/healthz', '/readyz'],
    healthListener(() => readinessOf(context)),
  );
  app.use(compress());
  app.use(assetRoutes());
  app.use(limitRequests(context.requestLimits, (request) => holdersOf(context, request)));
  app.use(loginRoutes(context));
  app.use(codecRoutes(context));
  app.use(apiRules(DOCUMENT));
  const withPlanText = createWithPlanText(context);
  app.use(deploymentRoutes({ ...context, withPlanText }, watches));
  app.use(actionRoutes({ ...context, findDeployment: (id, lane) => findDeployment(context, id, lane) }));
  app.use(personRoutes(context));
  app.use(terminalRoutes(context));
  app.use(pullRequestRoutes({ ...context, findPullRequest }));
  app.use(eventRoutes({ ...context, findPullRequest, watches }));
  app.use(doctorRoutes(context));
  app.use(activityRoutes(context));
  app.use(destinationRoutes(context));
  app.use(hostRoutes(context));
  app.use(stopRoutes(context));
  app.use(insightsRoutes(context));
  app.use(documentRoutes(context));
  app.use(laneRoutes(context));
  app.use(rolloutRoutes({ ...context, withPlanText }));
  app.use(searchRoutes(context));
  app.use((request, response) => {
    sendTo(request)(response, NO_PAGE);
  });
  app.use(errorHandler(context));
  return app;
}

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

function errorHandler({ logger }: Context): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (error instanceof AccessUnknownError && !response.headersSent) {
      logger.warn({ err: error, path: request.path }, 'nobody can say what a person may see');
      response.set('retry-after', String(error.retryAfterS));
      sendTo(request)(response, error.told);
      return;
    }
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
