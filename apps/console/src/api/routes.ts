/** The document of the API, for programs and for people. */
import { openApi } from '@nereid/api/open-api';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import { sitePage } from '../platform/html/site.ts';
import { documentBody } from './document-page.ts';

/** The answers of this console; made once, because it takes a while. */
export const DOCUMENT = openApi();
const BODY = documentBody(DOCUMENT);

export function documentRoutes(sources: ReaderSources): Router {
  const router = Router();
  const serve = createServeReaders(sources, router);
  const document: Find<typeof DOCUMENT> = () => Promise.resolve({ kind: 'found', value: DOCUMENT });

  serve.api('/openapi.json', document, (found) => found);
  serve.page('/api', document, (_found, { who }) => sitePage('api', BODY, { who }));
  return router;
}
