import type { RequestListener, ServerResponse } from 'node:http';

/** Whether a process wants work, with a message that says why or why not. */
export interface Readiness {
  readonly isReady: boolean;
  /** A sentence. */
  readonly message: string;
}

/** Never throws. */
type AskReadiness = () => Readiness | Promise<Readiness>;

/** `/healthz` says that the process is alive, `/readyz` whether it wants work. Both answer with JSON that has a `message`. */
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
