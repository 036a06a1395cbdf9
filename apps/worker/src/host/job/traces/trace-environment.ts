/** What makes Terraform and OpenTofu add their spans to the trace of a deployment. */
import { traceIdOf, traceparentOf } from '@nereid/process';
import { taskSubject } from '../../../platform/traces/deployment-spans.ts';
import type { IdentityJob } from '../../../platform/tokens/identity/identity-tokens.ts';
import { phaseOfJob } from '../identity/given-identity.ts';
import type { HostTools } from '../tools.ts';

/** Nothing for plans of pull requests, which have no trace. A collector that wants headers is not for code of repositories. */
export function traceEnvironment(
  { context }: Pick<HostTools, 'context'>,
  job: IdentityJob,
): Readonly<Record<string, string>> {
  const { traces } = context.config;
  if (job.preview || traces === undefined || !context.server.current().terraform.traces) return {};
  const { repository, revision, deploymentId } = job;
  return {
    TRACEPARENT: traceparentOf(traceIdOf(repository, revision.sha), taskSubject(deploymentId, phaseOfJob(job))),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  };
}
