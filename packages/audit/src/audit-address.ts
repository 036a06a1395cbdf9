/** Where the audit trail goes: a file, a topic of a cloud, or a URL. */
import { InvalidAuditUrlError } from './errors.ts';

export type AuditAddress = FileAddress | SnsAddress | PubsubAddress | UrlAddress;

interface FileAddress {
  readonly kind: 'file';
  readonly path: string;
}

export interface SnsAddress {
  readonly kind: 'sns';
  readonly topicArn: string;
  readonly region: string;
  readonly isFifo: boolean;
}

export interface PubsubAddress {
  readonly kind: 'pubsub';
  /** `projects/<project>/topics/<topic>`. */
  readonly topic: string;
}

export interface UrlAddress {
  readonly kind: 'webhook' | 'eventgrid';
  readonly url: string;
}

/** Throws `InvalidAuditUrlError`. */
export function parseAuditUrl(url: string): AuditAddress {
  const [, kind = '', rest = ''] = /^(\w+):(.*)$/s.exec(url) ?? [];
  const address = Object.hasOwn(PARSE, kind) ? PARSE[kind]?.(rest) : undefined;
  if (address === undefined) throw new InvalidAuditUrlError(url);
  return address;
}

/** One per kind of sink, by the scheme of its address. */
const PARSE: Readonly<Record<string, (rest: string) => AuditAddress | undefined>> = {
  file(rest) {
    const path = decoded(/^(?:\/\/)?(?<path>\/(?!\/)[^?#]*[^?#/])$/.exec(rest)?.groups?.['path']);
    return path === undefined ? undefined : { kind: 'file', path };
  },
  sns(topicArn) {
    const region = /^arn:aws[a-z-]*:sns:([a-z0-9-]+):\d{12}:[\w-]{1,251}(?:\.fifo)?$/.exec(topicArn)?.[1];
    return region === undefined ? undefined : { kind: 'sns', topicArn, region, isFifo: topicArn.endsWith('.fifo') };
  },
  pubsub: (topic) =>
    /^projects\/[a-z][a-z0-9.:-]{4,98}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(topic)
      ? { kind: 'pubsub', topic }
      : undefined,
  webhook: (url) => (isUrl(url) ? { kind: 'webhook', url } : undefined),
  eventgrid: (url) => (isUrl(url) ? { kind: 'eventgrid', url } : undefined),
};

function decoded(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isUrl(url: string): boolean {
  return /^https?:\/\/[^\s#@]+$/.test(url) && URL.canParse(url);
}

/** How the log, the metrics and doctor name it. The path of a URL may be a secret, so only its host is shown. */
export function sinkName(address: AuditAddress): string {
  switch (address.kind) {
    case 'file':
      return `file:${address.path}`;
    case 'sns':
      return `sns:${address.topicArn}`;
    case 'pubsub':
      return `pubsub:${address.topic}`;
    case 'webhook':
    case 'eventgrid':
      return `${address.kind}:${new URL(address.url).host}`;
  }
}
