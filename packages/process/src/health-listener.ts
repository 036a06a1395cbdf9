import type { RequestListener, ServerResponse } from 'node:http';

/** Whether a process wants work, and what it tells about that. */
export interface Readiness {
  readonly isReady: boolean;
  /** A sentence. */
  readonly message: string;
}

/** Never throws. */
type AskReadiness = () => Readiness | Promise<Readiness>;

/** `/healthz`: the process lives. `/readyz`: it wants work. Both answer JSON with a `message`. */
export function healthListener(readiness: AskReadiness): RequestListener {
  return ({ url }, response) => {
    void answer(url?.replace(/\?.*$/, ''), readiness, response);
  };
}

async function answer(path: string | undefined, readiness: AskReadiness, response: ServerResponse): Promise<void> {
  if (path === '/healthz') send(response, 200, 'alive');
  else if (path === '/readyz') {
    const { isReady, message } = await readiness();
    send(response, isReady ? 200 : 503, message);
  } else send(response, 404, 'expected GET /healthz or GET /readyz');
}

function send(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
