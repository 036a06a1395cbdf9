import type { IncomingHttpHeaders } from 'node:http';

export interface WebhookHeaders {
  /** `X-GitHub-Event`. */
  readonly event: string;
  /** `X-GitHub-Delivery`; becomes part of a workflow's id. */
  readonly delivery: string;
  /** `X-Hub-Signature-256`, as it was sent. */
  readonly signature: string;
}

export type HeadersRead =
  { readonly kind: 'ok'; readonly headers: WebhookHeaders } | { readonly kind: 'invalid'; readonly problem: string };

export function readHeaders(headers: IncomingHttpHeaders): HeadersRead {
  const event = headers['x-github-event'];
  const delivery = headers['x-github-delivery'];
  const signature = headers['x-hub-signature-256'];
  // GitHub's longest event has 35 characters, some have digits (projects_v2_item); a delivery is a UUID.
  if (!isText(event, /^[a-z0-9_]{1,64}$/)) return invalid('X-GitHub-Event with the name of an event');
  if (!isText(delivery, /^[0-9A-Za-z-]{1,64}$/)) return invalid('X-GitHub-Delivery with a UUID');
  if (!isText(signature, /./)) return invalid('X-Hub-Signature-256; set a secret for the webhook on GitHub');
  return { kind: 'ok', headers: { event, delivery, signature } };
}

function isText(value: string | string[] | undefined, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function invalid(what: string): HeadersRead {
  return { kind: 'invalid', problem: `expected the header ${what}` };
}
