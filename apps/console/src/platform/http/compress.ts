/** Compresses what a browser loads of a page, and the answers of the API. */
import { CLIENT_HEADER } from '@nereid/api';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';

/**
 * The length of a compressed answer says whether a text in it occurs twice. Somebody who can choose one of the texts, see the length, and
 * have somebody's browser ask again and again, finds out the other one, letter by letter (BREACH). So:
 *
 * - An answer whose address has a query is not compressed: pages show filters and keys of their query, and anybody can lead a browser
 *   to such an address. A program that names itself in a header is led by nobody.
 * - The word that our forms hold looks different in each answer (`createCsrf`), because titles of commits are chosen by others, too.
 * - Streams, logs and files are sent piece by piece, and are not compressed either.
 */
export function compress(): RequestHandler {
  return compression({ filter: mayCompress });
}

const FILES = /^(?:text\/css|(?:text|application)\/javascript)\b/;
const ANSWERS = /^(?:text\/html|application\/(?:problem\+)?json)\b/;

function mayCompress(request: Request, response: Response): boolean {
  const type = String(response.getHeader('content-type'));
  if (FILES.test(type)) return true;
  const isChosenByOthers = request.originalUrl.includes('?') && request.get(CLIENT_HEADER) === undefined;
  return ANSWERS.test(type) && !isChosenByOthers;
}
