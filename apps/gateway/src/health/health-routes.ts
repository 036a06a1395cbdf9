import { Router } from 'express';
import type { Context } from '../context.ts';

/** `/healthz`: the process lives. `/readyz`: webhooks may be sent here. */
export function healthRoutes({ drain, isTemporalReachable }: Context): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ message: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    if (drain.isDraining()) response.status(503).json({ message: 'not ready: stopping' });
    else if (await isTemporalReachable()) response.json({ message: 'ready' });
    else response.status(503).json({ message: 'not ready: Temporal does not answer' });
  });
  return router;
}
