import { env, type Secret, type ValuesOf } from '@nereid/config';

/** Where traces go, in the variables of OpenTelemetry. Nothing is traced without the first. */
export const TRACE_VARIABLES = {
  tracesUrl: env.url('OTEL_EXPORTER_OTLP_ENDPOINT'),
  /** `name=value`, separated by commas. */
  traceHeaders: env.secret('OTEL_EXPORTER_OTLP_HEADERS'),
};

export interface TracesConfig {
  /** Of an OpenTelemetry collector, without a trailing slash. */
  readonly url: string;
  readonly headers: Secret | undefined;
}

/** Undefined where nothing is traced. */
export function tracesConfigOf({
  tracesUrl: url,
  traceHeaders: headers,
}: ValuesOf<typeof TRACE_VARIABLES>): TracesConfig | undefined {
  return url === undefined ? undefined : { url, headers };
}
