/** The documents by which clouds verify the tokens of jobs. They are public, and the gateway has only the public keys. */
import { Router } from 'express';
import type { IssuerSite } from './issuer-site.ts';

/** Clouds keep them for longer; a new key is published before it signs. */
const CACHED_S = 3_600;

/** Below the path of the issuer's URL. */
export function issuerRoutes({ documents }: Pick<IssuerSite, 'documents'>): Router {
  const router = Router();
  for (const { path, text } of documents)
    router.get(path, (_request, response) => {
      response.setHeader('Cache-Control', `public, max-age=${CACHED_S}`);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.type('application/json').send(text);
    });
  return router;
}
