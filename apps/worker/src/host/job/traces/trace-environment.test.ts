import { expect, test } from '@jest/globals';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { traceIdOf, traceparentOf } from '@nereid/process';
import { traceEnvironment } from './trace-environment.ts';

type Tools = Parameters<typeof traceEnvironment>[0];
type Job = Parameters<typeof traceEnvironment>[1];

const { id: deploymentId, revision } = deploymentAt(3);
const URL = 'http://127.0.0.1:4318';

function environmentOf(job: object, isOn = true) {
  const server = { current: () => ({ terraform: { traces: isOn } }) };
  const tools = { context: { config: { traces: { url: URL } }, server } } as unknown as Tools; // All that is read.
  return traceEnvironment(tools, { repository: REPOSITORY, revision, deploymentId, ...job } as unknown as Job);
}

test.each([
  ['plan', {}],
  ['apply', { go: {} }],
])('Terraform adds its spans below that of its %s', (name, job) => {
  expect(environmentOf(job)).toEqual({
    TRACEPARENT: traceparentOf(traceIdOf(REPOSITORY, revision.sha), { about: deploymentId, name }),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_ENDPOINT: URL,
  });
});

test('Terraform knows of no trace unless the file says so, without a collector, or for a pull request', () => {
  expect([environmentOf({}, false), environmentOf({ preview: {} })]).toEqual([{}, {}]);
  expect(traceEnvironment({ context: { config: { traces: undefined } } } as unknown as Tools, {} as Job)).toEqual({});
});
