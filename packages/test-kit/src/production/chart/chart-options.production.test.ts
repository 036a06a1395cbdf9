/** What users of charts expect of one: their own volumes, containers, labels, proxy and authorities, and a number that follows the work. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { claimQueue, previewClaimQueue } from '@nereid/domain/temporal-names';
import { EXAMPLE_FILES, type Values } from './chart-files.ts';
import { podsOf, render, type Container, type Manifest, type PodSpec } from './render.ts';

const [MINIMAL = ''] = EXAMPLE_FILES;

const WORKLOADS = ['nereid-gateway', 'nereid-console', 'nereid-control', 'nereid-host-default'] as const;

const MORE = {
  extraEnvironment: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
  environmentFrom: [{ configMapRef: { name: 'settings' } }],
  extraVolumes: [{ name: 'mirror', emptyDir: {} }],
  extraMounts: [{ name: 'mirror', mountPath: '/mirror' }],
  initContainers: [{ name: 'first', image: 'registry.example.org/first:1' }],
  sidecars: [{ name: 'beside', image: 'registry.example.org/beside:1' }],
  topologySpreadConstraints: [{ topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
  priorityClassName: 'production',
  podLabels: { team: 'platform' },
  podAnnotations: { 'example.org/scan': 'never' },
};

describe.each(WORKLOADS)('%s', (name) => {
  let pod: Pod;
  let metadata: unknown;

  beforeAll(async () => {
    const manifests = await render([MINIMAL], { gateway: MORE, console: MORE, control: MORE, hosts: MORE });
    const workload = workloadIn(manifests, name);
    [pod, metadata] = [podOf(workload), (workload.spec as WithTemplate).template.metadata];
  });

  test('has the volumes that its values add, and its own', () => {
    expect(pod.volumes).toEqual(expect.arrayContaining([...MORE.extraVolumes, named('secrets')]));
    expect(pod.containers[0]?.volumeMounts).toEqual(expect.arrayContaining([...MORE.extraMounts, named('secrets')]));
  });

  test('has the variables that its values add', () => {
    expect(pod.containers[0]).toMatchObject({ envFrom: MORE.environmentFrom });
    expect(pod.containers[0]?.env).toEqual(expect.arrayContaining(MORE.extraEnvironment));
  });

  test('has containers before its own, and beside it', () => {
    expect(pod.initContainers).toEqual(MORE.initContainers);
    expect(pod.containers.slice(1)).toEqual(MORE.sidecars);
  });

  test('runs where, and with the labels with which, its values say', () => {
    const { topologySpreadConstraints, priorityClassName, podLabels, podAnnotations } = MORE;

    expect(pod).toMatchObject({ topologySpreadConstraints, priorityClassName });
    expect(metadata).toMatchObject({ labels: podLabels, annotations: podAnnotations });
  });
});

test('a pool may have what the others have not', async () => {
  const pools = [{ name: 'default' }, { name: 'prod', sidecars: MORE.sidecars }];

  const manifests = await render([MINIMAL], { hosts: { pools } });

  expect(podOf(workloadIn(manifests, 'nereid-host-default')).containers).toHaveLength(1);
  expect(podOf(workloadIn(manifests, 'nereid-host-prod')).containers).toHaveLength(2);
});

test('everything has the common labels', async () => {
  const manifests = await render([MINIMAL], { commonLabels: { team: 'platform' } });

  expect(manifests.length).toBeGreaterThan(20);
  for (const { kind, metadata } of manifests)
    expect({ kind, metadata }).toMatchObject({ metadata: { labels: { team: 'platform' } } });
});

test('each process is told of the proxy, and what to reach without it', async () => {
  const proxy = { url: 'http://proxy.example.org:3128', except: ['.example.org'] };

  for (const env of await variablesOf({ proxy }))
    expect(env).toMatchObject({
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: proxy.url,
      HTTP_PROXY: proxy.url,
      NO_PROXY: 'localhost,127.0.0.1,::1,.example.org',
    });
});

test('each process, git and Terraform trust the authorities of the company', async () => {
  const values = { authorities: { configMap: 'bundle', key: 'all.pem' } };

  const file = '/etc/ssl/certs/nereid/all.pem';
  for (const env of await variablesOf(values))
    expect(env).toMatchObject({ NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: file, GIT_SSL_CAINFO: file });
  for (const name of WORKLOADS) {
    const { volumes, containers } = podOf(workloadIn(await render([MINIMAL], values), name));
    expect(volumes).toContainEqual({ name: 'authorities', configMap: { name: 'bundle' } });
    expect(containers[0]?.volumeMounts).toContainEqual({
      ...{ name: 'authorities', mountPath: '/etc/ssl/certs/nereid', readOnly: true },
    });
  }
});

describe('the number of hosts', () => {
  test('is what the values say, and nobody else has a word', async () => {
    const manifests = await render([MINIMAL], { hosts: { replicas: 3 } });

    expect(workloadIn(manifests, 'nereid-host-default').spec).toMatchObject({ replicas: 3 });
    expect(manifests.filter(({ kind }) => kind === 'ScaledObject')).toEqual([]);
  });

  test('follows the claims that wait for a host of the pool, where the values say so', async () => {
    const pools = [{ name: 'default' }, { name: 'prod', autoscaling: { enabled: true, waitingClaims: 4 } }];

    const manifests = await render([MINIMAL], { hosts: { pools } });

    expect(workloadIn(manifests, 'nereid-host-default').spec).toHaveProperty('replicas');
    expect(workloadIn(manifests, 'nereid-host-prod').spec).not.toHaveProperty('replicas');
    const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject');
    expect(scaled.map(({ spec }) => spec)).toMatchObject([
      {
        scaleTargetRef: { kind: 'StatefulSet', name: 'nereid-host-prod' },
        triggers: [claimQueue('prod'), previewClaimQueue('prod')].map((taskQueue) => ({
          type: 'temporal',
          metadata: { taskQueue, queueTypes: 'activity', targetQueueSize: '4' },
        })),
      },
    ]);
  });

  test('is asked for with the certificate of hosts, from files that their Secret has', async () => {
    const manifests = await render([MINIMAL], { hosts: { autoscaling: { enabled: true } } });

    const [authentication] = manifests.filter(({ kind }) => kind === 'TriggerAuthentication');
    const { secretTargetRef } = authentication?.spec as { readonly secretTargetRef: readonly SecretKey[] };
    const [host] = manifests.filter(({ metadata: { name }, kind }) => kind === 'StatefulSet' && name.includes('host'));
    const files = JSON.stringify(host?.spec);
    expect(secretTargetRef.map(({ parameter }) => parameter)).toEqual(['ca', 'cert', 'key']);
    for (const { name, key } of secretTargetRef) {
      expect(name).toBe('nereid-host-default');
      expect(files).toContain(`{"key":"${key}","path":"${key}"}`);
    }
  });
});

interface SecretKey {
  readonly parameter: string;
  readonly name: string;
  readonly key: string;
}

interface Pod extends PodSpec {
  readonly volumes: readonly object[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly (Container & { readonly volumeMounts: readonly object[] })[];
}

interface WithTemplate {
  readonly template: { readonly metadata: object; readonly spec: Pod };
}

function workloadIn(manifests: readonly Manifest[], name: string): Manifest {
  const found = manifests.find(
    ({ kind, metadata }) => ['Deployment', 'StatefulSet'].includes(kind) && metadata.name === name,
  );
  if (found === undefined) throw new Error(`expected ${name} among what the chart makes`);
  return found;
}

function podOf({ spec }: Manifest): Pod {
  return (spec as WithTemplate).template.spec;
}

/** Of each process, by name. */
async function variablesOf(values: Values): Promise<readonly Readonly<Record<string, string>>[]> {
  const manifests = await render([MINIMAL], values);
  const pods = WORKLOADS.flatMap((name) => podsOf(workloadIn(manifests, name)));
  return pods.map(({ containers: [first] }) =>
    Object.fromEntries((first?.env ?? []).map(({ name, value = '' }) => [name, value])),
  );
}

function named(name: string): unknown {
  return expect.objectContaining({ name });
}
