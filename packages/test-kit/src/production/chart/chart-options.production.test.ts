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

test('a variable whose name YAML takes for a truth is one, too', async () => {
  const [variables] = await variablesOf({ gateway: { environment: { ON: 'off' } } });

  expect(variables).toMatchObject({ ON: 'off' });
});

test('a pool whose name is a number is a label, too', async () => {
  const workload = workloadIn(await render([MINIMAL], { hosts: { pools: [{ name: '123' }] } }), 'nereid-host-123');

  expect(workload.spec).toMatchObject({
    selector: { matchLabels: { 'nereid/pool': '123' } },
    template: { metadata: { labels: { 'nereid/pool': '123' } } },
  });
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

test('everything begins with the name that the values say', async () => {
  const manifests = await render([MINIMAL], { fullnameOverride: 'deploys' });

  expect(manifests.filter(({ metadata }) => !metadata.name.startsWith('deploys-'))).toEqual([]);
});

test('all pods look names up as the values say', async () => {
  const names = {
    hostAliases: [{ ip: '10.40.0.7', hostnames: ['github.example.org'] }],
    dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
  };

  const pods = (await render([MINIMAL], names)).filter(({ kind }) => kind !== 'DaemonSet').flatMap(podsOf);

  expect(pods.length).toBeGreaterThan(WORKLOADS.length);
  for (const pod of pods) expect(pod).toMatchObject(names);
});

test('more objects are taken as they are', async () => {
  const store = { apiVersion: 'external-secrets.io/v1', kind: 'SecretStore', metadata: { name: '{{ vault }}' } };

  expect(await render([MINIMAL], { extraObjects: [store] })).toContainEqual(store);
});

test('Prometheus reads with rules for labels', async () => {
  const relabelings = [{ targetLabel: 'cluster', replacement: 'prod' }];
  const metricRelabelings = [{ sourceLabels: ['__name__'], regex: 'nodejs_.*', action: 'drop' }];

  const manifests = await render([MINIMAL], {
    metrics: { serviceMonitor: { enabled: true, relabelings, metricRelabelings } },
  });

  const [monitor] = manifests.filter(({ kind }) => kind === 'ServiceMonitor');
  expect(monitor?.spec).toMatchObject({ endpoints: [{ port: 'metrics', relabelings, metricRelabelings }] });
});

describe('a ServiceAccount', () => {
  test('has the annotations that the values add, and the identity', async () => {
    const control = {
      workloadIdentity: '22222222-2222-2222-2222-222222222222',
      serviceAccountAnnotations: { 'azure.workload.identity/tenant-id': 'acme' },
    };

    const manifests = await render([MINIMAL], { workloadIdentity: { provider: 'azure' }, control });

    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.find(({ metadata }) => metadata.name === 'nereid-control')?.metadata).toMatchObject({
      annotations: {
        'azure.workload.identity/client-id': control.workloadIdentity,
        ...control.serviceAccountAnnotations,
      },
    });
  });

  test('of the company is that of pods and Jobs, and the chart makes none', async () => {
    const own = { serviceAccount: 'deploys' };

    const manifests = await render([MINIMAL], { gateway: own, console: own, control: own, hosts: own });

    expect(manifests.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
    const pods = manifests.filter(({ kind }) => kind !== 'DaemonSet').flatMap(podsOf);
    for (const pod of pods) expect(pod).toMatchObject({ serviceAccountName: 'deploys' });
  });
});

describe('the Jobs', () => {
  test('run where control runs, with its labels', async () => {
    const { priorityClassName, podLabels, podAnnotations } = MORE;
    const nodes = { nodeSelector: { pool: 'system' }, tolerations: [{ key: 'system', operator: 'Exists' }] };
    const control = { ...nodes, priorityClassName, podLabels, podAnnotations };

    const jobs = (await render([MINIMAL], { control })).filter(({ kind }) => kind === 'Job');

    expect(jobs).toHaveLength(2);
    for (const { spec } of jobs)
      expect((spec as WithTemplate).template).toMatchObject({
        metadata: { labels: podLabels, annotations: podAnnotations },
        spec: { ...nodes, priorityClassName },
      });
  });

  test('that set Temporal up have another name with other values, since nobody can change a Job', async () => {
    const tags = ['1', '1', '2'];

    const names = await Promise.all(
      tags.map(async (tag) => {
        const jobs = (await render([MINIMAL], { image: { tag } })).filter(({ kind }) => kind === 'Job');
        return jobs.map(({ metadata }) => metadata.name).filter((name) => !name.endsWith('-replay'));
      }),
    );

    expect(names[0]).toEqual(names[1]);
    expect(names[0]).not.toEqual(names[2]);
  });
});

describe('the profile is put on nodes', () => {
  const ARM = { 'kubernetes.io/arch': 'arm64' };
  const PROD = { key: 'prod', operator: 'Exists' };

  test('of each pool, whatever their taints', async () => {
    const pools = [
      { name: 'default', nodeSelector: ARM },
      { name: 'prod', nodeSelector: { team: 'a' }, tolerations: [PROD] },
    ];

    expect(await installerOf({ pools })).toMatchObject({
      tolerations: [PROD],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [termOf('kubernetes.io/arch', 'arm64'), termOf('team', 'a')],
          },
        },
      },
    });
  });

  test('everywhere, if one pool may be everywhere', async () => {
    const pools = [{ name: 'default' }, { name: 'prod', nodeSelector: ARM }];

    expect(await installerOf({ pools })).not.toHaveProperty('affinity');
  });

  test('of another release’s hosts, where this one has none', async () => {
    expect(await installerOf({ pools: [], tolerations: [PROD] })).toMatchObject({ tolerations: [PROD] });
  });

  async function installerOf(hosts: object) {
    const manifests = await render([MINIMAL], { hosts: { ...hosts, installSeccompProfile: true } });
    return manifests.filter(({ kind }) => kind === 'DaemonSet').flatMap(podsOf)[0];
  }

  function termOf(key: string, value: string) {
    return { matchExpressions: [{ key, operator: 'In', values: [value] }] };
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
