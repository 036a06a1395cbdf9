import { createHmac } from 'node:crypto';
import type { Delivery } from '../state/model.ts';
import { now } from '../state/store.ts';

export interface Target {
  readonly url: string;
  readonly secret: string;
  readonly hookId: number;
  readonly appId: number;
}

/** The part that all attempts to deliver one webhook have in common. */
export type Envelope = Pick<Delivery, 'guid' | 'event' | 'action' | 'installationId' | 'repositoryId' | 'payload'>;

/** GitHub gives up after the same time. */
const TIMEOUT_MS = 10_000;

const RESPONSE_LIMIT_BYTES = 64 * 1024;

type Outcome = Pick<Delivery, 'status' | 'statusCode' | 'responseHeaders' | 'responseBody'>;

/** Posts a webhook once and returns the outcome. Never throws. */
export async function attempt(
  envelope: Envelope,
  target: Target,
  closing: AbortSignal,
): Promise<Omit<Delivery, 'id' | 'redelivery'>> {
  const { guid, event, action, installationId, repositoryId, payload } = envelope;
  const requestHeaders = headersOf(envelope, target);
  const start = performance.now();
  const outcome = await post(target.url, requestHeaders, payload, closing);
  const durationMs = Math.round(performance.now() - start);
  const about = { guid, event, action, installationId, repositoryId, payload };
  return { ...about, requestHeaders, deliveredAt: now(), durationMs, ...outcome };
}

/** `sha256=<hex>` over exactly the bytes that are sent. */
function sign(algorithm: 'sha1' | 'sha256', secret: string, payload: string): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(payload).digest('hex')}`;
}

function headersOf({ guid, event, payload }: Envelope, { secret, hookId, appId }: Target): Record<string, string> {
  return {
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': 'GitHub-Hookshot/0000000',
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': event,
    'X-GitHub-Hook-ID': String(hookId),
    'X-GitHub-Hook-Installation-Target-ID': String(appId),
    'X-GitHub-Hook-Installation-Target-Type': 'integration',
    'X-Hub-Signature': sign('sha1', secret, payload),
    'X-Hub-Signature-256': sign('sha256', secret, payload),
  };
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  closing: AbortSignal,
): Promise<Outcome> {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), closing]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const responseBody = await readStart(response);
    const status = response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`;
    return { status, statusCode: response.status, responseHeaders: Object.fromEntries(response.headers), responseBody };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    const status = late ? 'timed out' : 'failed to connect to host';
    return { status, statusCode: late ? 504 : 502, responseHeaders: {}, responseBody: '' };
  }
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // fetch gives bytes, whatever the type of its stream says.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= RESPONSE_LIMIT_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_LIMIT_BYTES).toString();
}
