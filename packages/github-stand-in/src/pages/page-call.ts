import type { Request, Response, Router } from 'express';
import { ImpossibleError } from '../errors.ts';
import { findRepository } from '../state/find.ts';
import type { Repository } from '../state/model.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';
import { layout, type Page } from './layout.ts';
import { mayWrite, viewerOf } from './viewer.ts';

/** One request for a page, or one press of a page's button. */
export interface PageCall {
  readonly world: World;
  readonly viewer: string;
  /** A parameter of the address; empty if there is none. */
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  /** A field of the form that was sent; empty if there is none. */
  readonly field: (name: string) => string;
}

export interface RepositoryPageCall extends PageCall {
  readonly repository: Repository;
}

export type PageContent = Pick<Page, 'title' | 'content' | 'repository' | 'tab'>;

/** A request is refused: nothing is there, the person may not do it, or the form is wrong. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly code = 'PAGE_REFUSAL';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Adds a page. */
export function show(
  router: Router,
  world: World,
  path: string,
  page: (call: PageCall) => PageContent | Promise<PageContent>,
): void {
  router.get(path, async (request, response) => {
    await answer(world, request, response, async (call) => {
      send(world, request, response, await page(call));
    });
  });
}

/** Adds an address that leads elsewhere: the browser goes to the address that is returned. */
export function addRedirect(router: Router, world: World, path: string, to: (call: PageCall) => string): void {
  router.get(path, async (request, response) => {
    await answer(world, request, response, (call) => {
      response.redirect(302, to(call));
      return Promise.resolve();
    });
  });
}

/** Adds the action of a form; afterwards the browser goes to the address that the action returns. */
export function act(
  router: Router,
  world: World,
  path: string,
  action: (call: PageCall) => string | Promise<string>,
): void {
  router.post(path, async (request, response) => {
    await answer(world, request, response, async (call) => {
      refuseForeign(world, request);
      response.redirect(303, await action(call));
    });
  });
}

/** Adds the action of a form whose result is shown only once: the answer is the page itself. */
export function showOnce(
  router: Router,
  world: World,
  path: string,
  page: (call: PageCall) => PageContent | Promise<PageContent>,
): void {
  router.post(path, async (request, response) => {
    await answer(world, request, response, async (call) => {
      refuseForeign(world, request);
      send(world, request, response, await page(call));
    });
  });
}

/** Adds a page that is made of a form of another site. Its own form may lead to the origin that `leadsTo` returns. */
export function showPosted(
  router: Router,
  world: World,
  path: string,
  page: (call: PageCall) => PageContent,
  leadsTo: (call: PageCall) => string | undefined,
): void {
  router.post(path, async (request, response) => {
    await answer(world, request, response, (call) => {
      const policy = String(response.get('content-security-policy'));
      response.set('content-security-policy', policy.replace('form-action', `form-action ${leadsTo(call) ?? ''}`));
      send(world, request, response, page(call));
      return Promise.resolve();
    });
  });
}

/** Finds the repository in the address. Does not check whether the person may read it. */
export function inRepository(call: PageCall): RepositoryPageCall {
  const repository = findRepository(call.world.store, call.param('owner'), call.param('name'));
  if (!repository) throw new PageRefusal(404, 'There is no such repository.');
  return { ...call, repository };
}

export function requireWriter({ repository, viewer }: RepositoryPageCall): void {
  if (!mayWrite(repository, viewer)) throw new PageRefusal(403, `${viewer} has no write permission here.`);
}

async function answer(world: World, request: Request, response: Response, run: (call: PageCall) => Promise<void>) {
  try {
    await run(toCall(world, request));
  } catch (error) {
    if (!(error instanceof PageRefusal || error instanceof ImpossibleError)) throw error;
    response.status(error instanceof PageRefusal ? error.status : 422);
    const back = html`<p><a href="${world.url}">Back to the repositories</a></p>`;
    send(world, request, response, {
      title: 'Not possible',
      content: html`<h1>${error.message}</h1>
        ${back}`,
    });
  }
}

function send(world: World, request: Request, response: Response, content: PageContent): void {
  const page: Html = layout(world, { ...content, viewer: viewerOf(world, request), path: request.originalUrl });
  response.type('html').set('cache-control', 'no-store').send(page.text);
}

function toCall(world: World, request: Request): PageCall {
  // The form parser leaves an object of texts, or nothing.
  const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    world,
    viewer: viewerOf(world, request),
    // A parameter of several segments is a list of them.
    param: (name) => text([request.params[name]].flat().join('/')),
    query: (name) => (typeof request.query[name] === 'string' ? request.query[name] : undefined),
    field: (name) => text(fields[name]).replaceAll('\r\n', '\n'),
  };
}

/** Browsers say where a form comes from; other clients say nothing. */
function refuseForeign(world: World, request: Request): void {
  const origin = request.get('origin');
  const site = request.get('sec-fetch-site');
  const isForeign = (origin !== undefined && origin !== world.url) || (site !== undefined && site !== 'same-origin');
  if (isForeign) throw new PageRefusal(403, 'This form was sent from another site.');
}
