import type { Request, RequestHandler } from 'express';

/**
 * Bounds the memory that bodies take together: anybody can send one, and who it was shows only when it is complete. The one that
 * has taken the most memory for the longest is cut off first. A webhook arrives within a second, so it still comes through, while
 * a sender that holds memory has to wait. GitHub delivers again what was cut off.
 */
export function limitBodies(limitBytes: number): RequestHandler {
  /** From the first byte of a request until its response is sent. */
  const inFlight = new Map<Request, Body>();
  let total = 0;

  function release(request: Request): void {
    total -= inFlight.get(request)?.bytes ?? 0;
    inFlight.delete(request);
  }

  function cutOffOne(): void {
    const now = performance.now();
    const [worst] = [...inFlight].reduce((most, each) => (cost(each[1], now) > cost(most[1], now) ? each : most));
    release(worst);
    worst.destroy();
  }

  return (request, response, next) => {
    inFlight.set(request, { bytes: 0, sinceMs: performance.now() });
    response.once('close', () => {
      release(request);
    });
    request.on('data', (chunk: Buffer) => {
      const body = inFlight.get(request);
      if (body === undefined) return;
      inFlight.set(request, { ...body, bytes: body.bytes + chunk.length });
      total += chunk.length;
      if (total > limitBytes) cutOffOne();
    });
    next();
  };
}

interface Body {
  readonly bytes: number;
  readonly sinceMs: number;
}

/** So that bodies of one moment are told apart by their size. */
const LEAST_AGE_MS = 1;

function cost({ bytes, sinceMs }: Body, nowMs: number): number {
  return bytes * Math.max(LEAST_AGE_MS, nowMs - sinceMs);
}
