import type { RequestListener } from 'node:http';
import type { Readiness } from './readiness.ts';

/** `/healthz`: the process lives. `/readyz`: it takes tasks. */
export function healthListener(readiness: Readiness): RequestListener {
  return (request, response) => {
    const { status, message } = answer(request.url, readiness);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  };
}

function answer(url: string | undefined, readiness: Readiness): { status: number; message: string } {
  switch (url) {
    case '/healthz':
      return { status: 200, message: 'alive' };
    case '/readyz':
      return READINESS[readiness.current()];
    default:
      return { status: 404, message: 'nothing is here' };
  }
}

const READINESS = {
  starting: { status: 503, message: 'not ready: waiting for Temporal' },
  ready: { status: 200, message: 'ready' },
  stopping: { status: 503, message: 'not ready: stopping' },
} as const;
