import { Router } from 'express';
import type { Context } from '../context.ts';

/**
 * `/healthz`: the process lives. `/readyz`: pages may be asked for; without Temporal they show what is stored, which is
 * better than no page at all, so a load balancer must not take us away.
 */
export function healthRoutes({ stopping, isTemporalReachable }: Context): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ message: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    if (stopping.signal.aborted) response.status(503).json({ message: 'not ready: stopping' });
    else if (await isTemporalReachable()) response.json({ message: 'ready' });
    else response.json({ message: 'ready, but Temporal does not answer: only what is stored is shown' });
  });
  return router;
}
