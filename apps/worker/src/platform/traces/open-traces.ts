/**
 * Sends spans to a collector, by OTLP over HTTP with protobuf. OpenTelemetry's packages are loaded only here, so that a worker
 * without a collector pays nothing for them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '@nereid/forge';
import { spanIdOf, type TracesConfig } from '@nereid/process';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { EndedSpan } from './span.ts';

export interface Traces {
  readonly send: (spans: readonly EndedSpan[]) => void;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

export interface TracesOptions {
  readonly config: TracesConfig;
  readonly release: string;
  readonly hostId: string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A collector that hangs must not hold up the stop of a worker. */
const CLOSE_MS = 2_000;

export async function openTraces({ config, release, hostId, logger }: TracesOptions): Promise<Traces> {
  const [{ SpanKind, SpanStatusCode, TraceFlags }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ]);
  const headers = headersIn(config.headers?.reveal() ?? '');
  const exporter = new OTLPTraceExporter({ url: `${config.url}/v1/traces`, headers });
  // More spans than its queue holds are dropped: nothing waits for a collector.
  const processor = new sdk.BatchSpanProcessor({ exporter: withWarning(exporter, logger) });
  const resource = resourceFromAttributes({
    'service.name': 'nereid',
    'service.version': release,
    'service.instance.id': hostId,
  });

  function readable({ traceId, subject, parent, startMs, endMs, attributes, hasFailed }: EndedSpan): ReadableSpan {
    const contextOf = (of: EndedSpan['subject']) => ({
      traceId,
      spanId: spanIdOf(traceId, of),
      traceFlags: TraceFlags.SAMPLED,
    });
    const context = contextOf(subject);
    return {
      name: subject.name.replace(/ since \d+$/, ''),
      kind: SpanKind.INTERNAL,
      spanContext: () => context,
      ...(parent && { parentSpanContext: contextOf(parent) }),
      startTime: hrTimeOf(startMs),
      endTime: hrTimeOf(endMs),
      duration: hrTimeOf(endMs - startMs),
      status: { code: hasFailed === true ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: bounded(attributes),
      links: [],
      events: [],
      ended: true,
      resource,
      instrumentationScope: { name: 'nereid', version: release },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }

  return {
    send(spans) {
      for (const span of spans) if (hasTimes(span)) processor.onEnd(readable(span));
    },
    async close() {
      // That the collector did not take the last ones is in the log.
      const isShut = processor.shutdown().catch(() => undefined);
      await Promise.race([isShut, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Times come through Temporal, so they may be anything. */
function hasTimes({ startMs, endMs }: EndedSpan): boolean {
  return startMs >= 0 && endMs >= startMs && endMs <= LATEST_MS;
}

/** Nanoseconds of a later time do not fit into a message, which would be lost with all others of its batch. */
const LATEST_MS = Date.UTC(2500, 0);

/** Names and ids come through Temporal, too, and git takes branches of any length. */
function bounded(attributes: EndedSpan['attributes']): EndedSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, value.slice(0, ATTRIBUTE_LIMIT)] as const),
  );
}

const ATTRIBUTE_LIMIT = 255;

function hrTimeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}

/** `name=value`, separated by commas; values are encoded as in URLs. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === '' ? [] : [[name.trim(), decoded(value.join('=').trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The first of several failures in a row is said. */
function withWarning(exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !isAway)
          logger.warn({ reason: reasonOf(error) }, 'the collector takes no traces: they are dropped until it does');
        isAway = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Without the rest of the answer, which may be megabytes of anything. */
function reasonOf(error: Error): string {
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return plain(`${error.message}${code}`, REASON_LIMIT);
}

const REASON_LIMIT = 200;
