/** Serves people what they see of everything: as pages, as the parts of pages that scripts ask for again, and as the API answers it. */
import { API_PATH } from '@nereid/api';
import type { Request, Response, Router } from 'express';
import { actorOf, type Actor, type ActorSources } from '../login/visitor/actor-of.ts';
import { whoLooks, type WhoSources } from '../login/visitor/who-looks.ts';
import type { Html } from '../platform/html/html.ts';
import type { Who } from '../platform/html/who.ts';
import { sendMessage, type Message } from '../platform/http/send-message.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import { findShownStops, type ShownStop } from './stops/shown-stops.ts';
import { readingOf, type Reader, type ReadingSources } from './reading.ts';
import { sendRefusal } from './send-refusal.ts';
import { sightOf, type Sight, type SightSources } from './sight.ts';

export interface ReaderSources extends ReadingSources, SightSources, ActorSources, WhoSources {}

/** Finds what a reader asks for, or says why not. */
export type Find<T> = (asked: Asked) => Promise<Found<T>>;

export interface Asked {
  readonly request: Request;
  readonly reader: Reader;
  readonly sight: Sight;
}

export type Found<T> =
  { readonly kind: 'found'; readonly value: T } | { readonly kind: 'message'; readonly message: Message };

export interface Shown<T> {
  page(value: T, looks: Looks, request: Request): Html;
  /** What changes of it while it is open. */
  state(value: T, looks: Looks, request: Request): Html;
}

/** The reader of a page, the person for whom it has buttons, and the stops that both may see. */
export interface Looks {
  readonly who: Who | undefined;
  readonly actor: Actor | undefined;
  readonly stops: readonly ShownStop[];
}

export interface ServeReaders {
  /** A page, and below it the `fragment` of what changes. */
  pages<T>(path: string, find: Find<T>, shown: Shown<T>): void;
  page<T>(path: string, find: Find<T>, page: Shown<T>['page']): void;
  /** Below `/api/v1`. */
  api<T>(path: string, find: Find<T>, answerOf: (value: T) => object): void;
  send<T>(path: string, find: Find<T>, send: Send<T>): void;
}

type Send<T> = (value: T, request: Request, response: Response, sight: Sight) => unknown;

export function createServeReaders(sources: ReaderSources, router: Router): ServeReaders {
  function serve<T>(path: string, find: Find<T>, send: Send<T>, sendNot: typeof sendMessage): void {
    router.get(path, async (request, response) => {
      const reading = await readingOf(sources, request);
      if (reading.kind === 'refused') {
        sendRefusal(request, response, reading);
        return;
      }
      const { reader } = reading;
      const sight = sightOf(sources, reader);
      const found = await find({ request, reader, sight });
      if (found.kind === 'found') await send(found.value, request, response, sight);
      else sendNot(response, found.message);
    });
  }

  function page<T>(path: string, find: Find<T>, of: Shown<T>['page']): void {
    const send: Send<T> = async (value, request, response, sight) => {
      const [actor, who] = [await actorOf(sources, request), await whoLooks(sources, request)];
      const looks = { actor, who, stops: await findShownStops(sight) };
      response.send(of(value, looks, request).markup);
    };
    serve(path, find, send, sendMessage);
  }

  return {
    page,
    pages(path, find, shown) {
      page(path, find, (...of) => shown.page(...of));
      page(`${path}/fragment`, find, (...of) => shown.state(...of));
    },
    api(path, find, answerOf) {
      serve(API_PATH + path, find, (value, _request, response) => response.json(answerOf(value)), sendProblem);
    },
    send(path, find, send) {
      serve(path, find, send, sendMessage);
    },
  };
}
