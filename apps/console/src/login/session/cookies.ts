/** Our cookies. `__Host-`: no other host, and nobody without TLS, can have set them. */
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

/** Browsers keep 4,096 bytes with the name and the attributes of a cookie. */
const PART_LENGTH = 3_800;

/** Node takes headers of 16 KB; the others need some of them. */
const PARTS_LIMIT = 3;

const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const satisfies CookieOptions;

/** The longest text that a cookie of ours may have, in all its parts. */
export const COOKIE_LIMIT = PART_LENGTH * PARTS_LIMIT;

/** Returns what `setCookie` was given; undefined without it. */
export function readCookie(request: Request, name: string): string | undefined {
  const sent = cookiesOf(request);
  const parts = partsOf(name).map((part) => sent[part]);
  const end = parts.indexOf(undefined);
  const text = parts.slice(0, end === -1 ? undefined : end).join('');
  return text === '' ? undefined : text;
}

/** A long text is split; parts of a longer one from before are removed. */
export function setCookie(response: Response, name: string, text: string, lifeMs: number): void {
  if (text.length > COOKIE_LIMIT) throw new Error(`expected at most ${COOKIE_LIMIT} characters, found ${text.length}`);
  const sent = cookiesOf(response.req);
  partsOf(name).forEach((part, index) => {
    const piece = text.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH);
    if (piece !== '') response.cookie(part, piece, { ...OPTIONS, maxAge: lifeMs });
    else if (sent[part] !== undefined) response.clearCookie(part, OPTIONS);
  });
}

export function clearCookie(response: Response, name: string): void {
  const sent = cookiesOf(response.req);
  for (const part of partsOf(name)) if (sent[part] !== undefined) response.clearCookie(part, OPTIONS);
}

function partsOf(name: string): readonly string[] {
  return Array.from({ length: PARTS_LIMIT }, (_, index) => `__Host-${name}${index === 0 ? '' : `.${index}`}`);
}

/** Without a prototype, since the names come from anybody. */
function cookiesOf({ headers: { cookie = '' } }: Request): ReturnType<typeof parseCookie> {
  return parseCookie(cookie);
}
