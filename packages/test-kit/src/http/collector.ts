/** A real HTTP server that takes traces as a collector of OpenTelemetry does, and decodes them. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** In epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly hasFailed: boolean;
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface Collector {
  readonly url: string;
  /** In the order in which they came. One that was sent twice is there twice. */
  spans(): readonly ReceivedSpan[];
  headers(): readonly IncomingHttpHeaders[];
  /** Every request is answered with this status from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

/** The fields of opentelemetry-proto that are read; others are skipped. */
const PROTO = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; Status status = 15;
}
message Status { int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { string string_value = 1; }
`;

const Request = protobuf.parse(PROTO).root.lookupType('Request');

/** `STATUS_CODE_ERROR`. */
const FAILED = 2;

export async function openCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      headers.push(request.headers);
      if (status === 200 && request.url === '/v1/traces') spans.push(...spansIn(body));
      response
        .writeHead(request.url === '/v1/traces' ? status : 404, { 'content-type': 'application/x-protobuf' })
        .end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // Of TCP, because that is what it listens on.
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    headers: () => headers,
    answer(code) {
      status = code;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface KeyValue {
  readonly key: string;
  readonly value?: { readonly stringValue?: string };
}

interface Decoded {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly DecodedSpan[] }[];
  }[];
}

interface DecodedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status?: { readonly code?: number } | null;
}

function spansIn(body: Buffer): readonly ReceivedSpan[] {
  const options = { longs: String, bytes: String, arrays: true, defaults: true };
  const { resourceSpans } = Request.toObject(Request.decode(body), options) as Decoded; // As PROTO has it.
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => spanOf(span, resource.attributes))),
  );
}

function spanOf(span: DecodedSpan, resource: readonly KeyValue[]): ReceivedSpan {
  return {
    traceId: hexOf(span.traceId),
    spanId: hexOf(span.spanId),
    parentSpanId: hexOf(span.parentSpanId),
    name: span.name,
    startMs: msOf(span.startTimeUnixNano),
    endMs: msOf(span.endTimeUnixNano),
    attributes: recordOf(span.attributes),
    hasFailed: span.status?.code === FAILED,
    resource: recordOf(resource),
  };
}

function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

function msOf(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1_000_000n);
}

function recordOf(attributes: readonly KeyValue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value?.stringValue ?? '']));
}
