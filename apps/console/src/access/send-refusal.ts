import { API_PATH } from '@nereid/api';
import type { Request, Response } from 'express';
import { sendMessage, toTopOf } from '../platform/http/send-message.ts';
import { sendProblem } from '../platform/http/send-problem.ts';
import type { Refusal } from './reading.ts';

/** A person who opens a page is led to the login, and from there back to it. Programs and scripts are told. */
export function sendRefusal(request: Request, response: Response, refusal: Refusal): void {
  const { message, retryAfterS, leadsToLogin } = refusal;
  if (retryAfterS !== undefined) response.set('retry-after', String(retryAfterS));
  if (message.status === 401) response.set('www-authenticate', 'Bearer');
  if (isForPrograms(request)) {
    sendProblem(response, message);
    return;
  }
  if (leadsToLogin && isNavigation(request)) {
    response.redirect(303, `${toTopOf(request.originalUrl)}login?to=${encodeURIComponent(request.originalUrl)}`);
    return;
  }
  sendMessage(response, message);
}

function isForPrograms({ originalUrl }: Request): boolean {
  return originalUrl.startsWith(`${API_PATH}/`);
}

/** A browser that opens a page names what it wants to see; what a page's own script asks for is no page. */
function isNavigation(request: Request): boolean {
  return /\btext\/html\b/.test(request.get('accept') ?? '');
}
