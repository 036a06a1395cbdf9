import { readFileSync } from 'node:fs';
import express, { type Response, type Router } from 'express';
import type { World } from '../world.ts';
import { addCheckRunPages } from './check-run-pages.ts';
import { addClonePages } from './clone-pages.ts';
import { addDeliveryPages } from './delivery-pages.ts';
import { addEditPages } from './edit-pages.ts';
import { addFilePages } from './file-pages.ts';
import { LIVE_SCRIPT } from './live-script.ts';
import { act, PageRefusal, show } from './page-call.ts';
import { addAppPages } from './oauth/app-pages.ts';
import { addDevicePages } from './oauth/device-pages.ts';
import { addManifestPages } from './oauth/manifest-pages.ts';
import { addOAuthPages } from './oauth/oauth-pages.ts';
import { addPullRequestPages } from './pull-request-pages.ts';
import { addRepositoryPages } from './repository-pages.ts';

/** Joins a burst of changes into one event. */
const CHANGES_PAUSE_MS = 150;

/** Only this server's own scripts run in a page, and nothing is fetched from elsewhere. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

/** Everything a person sees in the browser. */
export function createPages(world: World): Router {
  const router = express.Router();
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');
  router.use((_request, response, next) => {
    response.set(SECURITY_HEADERS);
    next();
  });
  router.use(express.urlencoded({ extended: false, limit: '1mb' }));
  router.get('/-/style.css', (_request, response) => void response.type('css').send(style));
  router.get('/-/live.js', (_request, response) => void response.type('js').send(LIVE_SCRIPT));
  router.get('/-/changes', (_request, response) => {
    streamChanges(world, response);
  });
  router.post('/-/who', (request, response, next) => {
    // The form parser leaves an object of texts, or nothing.
    const fields = (request.body ?? {}) as Readonly<Record<string, string>>;
    response.cookie('who', String(fields['who']), { httpOnly: true, sameSite: 'strict' });
    next();
  });
  act(router, world, '/-/who', ({ field }) => (/^\/(?![/\\])/.test(field('back')) ? field('back') : '/'));
  addOAuthPages(router, world);
  addDevicePages(router, world);
  addManifestPages(router, world);
  addAppPages(router, world);
  addDeliveryPages(router, world);
  addRepositoryPages(router, world);
  addPullRequestPages(router, world);
  addCheckRunPages(router, world);
  addEditPages(router, world);
  addFilePages(router, world);
  addClonePages(router, world);
  show(router, world, '/*rest', () => {
    throw new PageRefusal(404, 'This page does not exist.');
  });
  return router;
}

/** Server-sent events: one line after every change, for as long as the page is open. */
function streamChanges(world: World, response: Response): void {
  response.type('text/event-stream').set('cache-control', 'no-store');
  response.write(': open\n\n');
  let timer: NodeJS.Timeout | undefined;
  const stop = world.store.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      response.write('data: changed\n\n');
    }, CHANGES_PAUSE_MS);
  });
  response.on('close', () => {
    stop();
    clearTimeout(timer);
  });
}
