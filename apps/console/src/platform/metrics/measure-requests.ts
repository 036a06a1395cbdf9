import type { Request, RequestHandler } from 'express';
import type { Metrics } from './metrics.ts';

/** Assets and addresses that are none: nobody can make up more series than there are routes. */
const NO_ROUTE = 'other';

/** Counts each request once it is answered, or its client is gone. */
export function measureRequests({ onRequest }: Pick<Metrics, 'onRequest'>): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    let isCounted = false;
    const count = () => {
      if (isCounted) return;
      isCounted = true;
      const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream');
      const seconds = isStream ? undefined : (performance.now() - startedAt) / 1_000;
      onRequest({ route: routeOf(request), status: response.statusCode, seconds });
    };
    response.once('finish', count).once('close', count);
    next();
  };
}

/** Below a path with parameters, the route's own part alone: what comes before it has their values. */
function routeOf(request: Request): string {
  const { route } = request as { readonly route?: { readonly path: unknown } }; // Express leaves it undefined before one matches.
  const paths = [route?.path ?? NO_ROUTE].flat();
  return paths.map(String).join(' ');
}
