/** What the console's own checks find, for operators; nobody else learns where storage or Temporal are. */
import type { Diagnosis } from '@nereid/api';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import { sitePage } from '../platform/html/site.ts';
import { NO_PAGE } from '../platform/http/lists.ts';
import type { AskDoctor } from './create-ask-doctor.ts';
import { doctorBody } from './page.ts';

export interface DoctorRouteSources extends ReaderSources {
  readonly askDoctor: AskDoctor;
}

export function doctorRoutes(sources: DoctorRouteSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);

  const diagnosis: Find<Diagnosis> = async ({ sight }) =>
    sight.mayAskDoctor() ? { kind: 'found', value: await sources.askDoctor() } : { kind: 'message', message: NO_PAGE };

  serve.api('/doctor', diagnosis, (found) => found);
  serve.page('/doctor', diagnosis, (found, { who }) => sitePage('hosts', doctorBody(found), { title: 'Doctor', who }));
  return router;
}
