/** A real API server takes what the chart makes, under the rules that its guide names. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { CHART, EXAMPLE_FILES, type Values } from './chart-files.ts';
import { podsOf, render, runHelm, withValues } from './render.ts';
import { startApiServer, type ApiServer } from './start-api-server.ts';

/** On a fresh machine the server is built first. */
jest.setTimeout(90 * 60_000);

const [MINIMAL = ''] = EXAMPLE_FILES;

/** Resources that others bring to a cluster. Their own fields are not looked at. */
const OF_OTHERS = [
  ['external-secrets.io', 'v1', 'ExternalSecret'],
  ['keda.sh', 'v1alpha1', 'ScaledObject'],
  ['keda.sh', 'v1alpha1', 'TriggerAuthentication'],
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule'],
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor'],
] as const;

const opened = new AsyncDisposableStack();
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer(process.env);
  opened.defer(() => server.stop());
  for (const [group, version, kind] of OF_OTHERS) {
    const made = await server.post(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      definitionOf(group, version, kind),
    );
    expect(made).toEqual({ status: 201, message: '' });
  }
  await makeNamespace('temporal');
});

afterAll(async () => {
  await opened.disposeAsync();
});

test.each(EXAMPLE_FILES.map((file, at) => [file, `example-${at}`]))(
  'it installs, and upgrades, %s',
  async (file, namespace) => {
    await makeNamespace(namespace);

    const installed = await helm(['install', 'nereid', CHART, '--namespace', namespace, '--values', file]);
    // The Job before an upgrade would never end: nothing makes pods of it here.
    const upgraded = await withValues({ log: { level: 'debug' } }, (more) =>
      helm(['upgrade', 'nereid', CHART, '--no-hooks', '--namespace', namespace, '--values', file, '--values', more]),
    );

    // The server warns of what it takes and will not mean, such as a field that nobody knows.
    const quiet: unknown = expect.not.stringMatching(/error|warning|unknown field/i);
    expect(installed).toMatchObject({ stderr: quiet, kind: 'exited', exitCode: 0 });
    const second: unknown = expect.stringContaining('REVISION: 2');
    expect(upgraded).toMatchObject({ stderr: quiet, kind: 'exited', exitCode: 0, stdout: second });
  },
);

describe('the security of pods', () => {
  test('of all but hosts is what “restricted” asks for', async () => {
    for (const [name, answer] of await judged('restricted', { hosts: { pools: [], installSeccompProfile: false } }))
      expect([name, answer]).toEqual([name, { status: 201, message: '' }]);
  });

  test('of hosts is what “baseline” asks for, where no AppArmor has to be turned off, and nothing is put on nodes', async () => {
    const answers = await judged('baseline', { hosts: { sandbox: { unconfinedByAppArmor: false } } });

    expect(answers.get('nereid-host-default')).toEqual({ status: 201, message: '' });
    expect(answers.get('nereid-seccomp')).toMatchObject({ status: 403, message: expect.stringMatching(/hostPath/) });
  });

  test('of hosts takes “privileged” where it has to be', async () => {
    const [baseline, privileged] = [await judged('baseline'), await judged('privileged')];

    expect(baseline.get('nereid-host-default')).toMatchObject({
      status: 403,
      message: expect.stringMatching(/AppArmor/),
    });
    for (const name of ['nereid-host-default', 'nereid-seccomp'])
      expect([name, privileged.get(name)]).toEqual([name, { status: 201, message: '' }]);
  });

  test('the API has no unmasked /proc without a user namespace', async () => {
    const answers = await judged('privileged', {}, { hostUsers: true });

    expect(answers.get('nereid-host-default')).toMatchObject({
      status: 422,
      message: expect.stringMatching(/hostUsers/),
    });
  });
});

let namespaces = 0;

/** What the server says to the pods of the minimal example, in a namespace of this level. Nothing is kept. */
async function judged(level: string, values: Values = {}, change = {}): Promise<ReadonlyMap<string, unknown>> {
  namespaces += 1;
  const namespace = `${level}-${namespaces}`;
  await makeNamespace(namespace, { 'pod-security.kubernetes.io/enforce': level });
  const manifests = await render([MINIMAL], values);
  // A controller makes it elsewhere.
  const usual = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  for (const account of [usual, ...manifests.filter(({ kind }) => kind === 'ServiceAccount')])
    await server.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { ...account });
  const answers = new Map<string, unknown>();
  for (const manifest of manifests)
    for (const spec of podsOf(manifest)) {
      // A StatefulSet adds it to its pods.
      const data = { name: 'data', emptyDir: {} };
      const volumes = manifest.kind === 'StatefulSet' ? { volumes: [...volumesOf(spec), data] } : {};
      const body = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'pod' },
        spec: { ...spec, ...volumes, ...change },
      };
      answers.set(manifest.metadata.name, await server.post(`/api/v1/namespaces/${namespace}/pods?dryRun=All`, body));
    }
  return answers;
}

function volumesOf(spec: object): readonly unknown[] {
  return 'volumes' in spec && Array.isArray(spec.volumes) ? spec.volumes : [];
}

async function makeNamespace(name: string, labels = {}): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  expect(await server.post('/api/v1/namespaces', body)).toEqual({ status: 201, message: '' });
}

function helm(args: readonly string[]) {
  return runHelm(args, { env: { KUBECONFIG: server.kubeconfig } });
}

function definitionOf(group: string, version: string, kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // Without it, no group of that name is for others.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
