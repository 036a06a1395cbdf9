import type { Request, RequestHandler } from 'express';

/**
 * Bounds the memory that bodies take together: anybody can send one, and who it was shows only when it is complete. Whoever
 * takes the most is cut off first, so that webhooks, which rarely have a megabyte, still come through. GitHub delivers again
 * what was cut off.
 */
export function limitBodies(limitBytes: number): RequestHandler {
  /** Bytes by request, from its first byte until its response is sent. */
  const inFlight = new Map<Request, number>();
  let total = 0;

  function release(request: Request): void {
    total -= inFlight.get(request) ?? 0;
    inFlight.delete(request);
  }

  function cutOffLargest(): void {
    const [largest] = [...inFlight].reduce((most, each) => (each[1] > most[1] ? each : most));
    release(largest);
    largest.destroy();
  }

  return (request, response, next) => {
    inFlight.set(request, 0);
    response.once('close', () => {
      release(request);
    });
    request.on('data', (chunk: Buffer) => {
      const before = inFlight.get(request);
      if (before === undefined) return;
      inFlight.set(request, before + chunk.length);
      total += chunk.length;
      if (total > limitBytes) cutOffLargest();
    });
    next();
  };
}
