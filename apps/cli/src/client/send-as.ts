/** Sends requests in somebody's name, and once more with a newer token when the console refuses theirs. */
import { send, type Request } from './send.ts';

export interface Name {
  readonly token?: string | undefined;
  /** Returns a newer token than the one that was refused; undefined when there is none. */
  readonly renew?: ((refused: string) => Promise<string | undefined>) | undefined;
}

export type SendAs = typeof send;

export function createSendAs({ token, renew }: Name): SendAs {
  let current = token;
  return async (request, signal, read) => {
    const sent = current;
    const first = await send(inNameOf(sent, request), signal, async (response) => ({
      isRefused: response.status === UNAUTHORISED,
      value: await read(response),
    }));
    if (!first.isRefused || sent === undefined || renew === undefined) return first.value;
    const newer = await renew(sent);
    if (newer === undefined) return first.value;
    current = newer;
    return send(inNameOf(newer, request), signal, read);
  };
}

const UNAUTHORISED = 401;

function inNameOf(token: string | undefined, request: Request): Request {
  if (token === undefined) return request;
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
