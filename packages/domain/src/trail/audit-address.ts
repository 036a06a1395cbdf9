/** Where the audit trail goes: a file, a topic of a cloud, or a URL. */

/** One place where all events go. */
export interface AuditSink {
  /** `file:/path`, `sns:<topic arn>`, `pubsub:projects/<project>/topics/<topic>`, `webhook:<url>` or `eventgrid:<url>`. */
  readonly to: string;
  /** Of a webhook, the secrets that sign; of a topic of Event Grid, its key. Read again for each event. */
  readonly secretFile?: string;
}

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

const FILE = /^file:(?:\/\/)?(?<path>\/(?!\/)[^?#]*[^?#/])$/;
const SNS = /^sns:(?<topicArn>arn:aws[a-z-]*:sns:(?<region>[a-z0-9-]+):\d{12}:[\w-]{1,251}(?:\.fifo)?)$/;
const PUBSUB = /^pubsub:(?<topic>projects\/[a-z][a-z0-9.:-]{4,98}\/topics\/[A-Za-z][\w.~+%-]{2,254})$/;

/** The addresses that people write as one text. */
export const WRITTEN_ADDRESS = new RegExp(`${FILE.source}|${SNS.source}|${PUBSUB.source}`);

/** Undefined for any other text. */
export function auditAddressOf(url: string): AuditAddress | undefined {
  const of = (pattern: RegExp) => pattern.exec(url)?.groups ?? {};
  const path = decoded(of(FILE)['path']);
  if (path !== undefined) return { kind: 'file', path };
  const { topicArn, region } = of(SNS);
  if (topicArn && region) return { kind: 'sns', topicArn, region, isFifo: topicArn.endsWith('.fifo') };
  const { topic } = of(PUBSUB);
  if (topic) return { kind: 'pubsub', topic };
  const { kind, target = '' } = of(/^(?<kind>webhook|eventgrid):(?<target>https?:\/\/[^\s#@]+)$/);
  return (kind === 'webhook' || kind === 'eventgrid') && URL.canParse(target) ? { kind, url: target } : undefined;
}

function decoded(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
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
