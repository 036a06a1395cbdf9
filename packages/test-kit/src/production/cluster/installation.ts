/** The chart in a cluster, with what an operator makes before it: keys, Secrets, disks. */
import { runCommand } from '@nereid/subprocess';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { REPOSITORY } from '../../repository.ts';
import { CHART, secretFiles } from '../chart/chart-files.ts';
import { runHelm } from '../chart/render.ts';
import { chartValues } from './chart-values.ts';
import type { Cluster } from './start-cluster.ts';

export interface Installation {
  /** The folder of the keys. */
  readonly keys: string;
  /** The folder of what roots make. */
  readonly resources: string;
  /** Installs or upgrades the chart with images of this tag, and waits until everything is ready. Throws with the events of the cluster. */
  readonly helm: (command: 'install' | 'upgrade', tag: string) => Promise<void>;
  /** Waits until everything is ready. */
  readonly isReady: () => Promise<void>;
  /** The components that have a pod which is ready, in alphabetical order. */
  readonly readyPods: () => Promise<readonly string[]>;
  /** Of a Service. */
  readonly addressOf: (name: string) => Promise<string>;
}

const KEYS_TIMEOUT_MS = 60_000;
const READY_WITHIN_MINUTES = 5;
const READY_WITHIN_MS = READY_WITHIN_MINUTES * 60_000;

/** The user of the images. */
const USER = 1000;

const SECRETS = { gateway: 'gateway', console: 'console', control: 'control', 'host-default': 'hosts' } as const;
const SETS = [
  'deployment/nereid-gateway',
  'deployment/nereid-console',
  'statefulset/nereid-control',
  'statefulset/nereid-host-default',
];

/** `folder` is for files. */
export async function prepareInstallation(cluster: Cluster, folder: string): Promise<Installation> {
  const at = (name: string) => path.join(folder, name);
  const kubectl = (...args: readonly string[]) => cluster.kubectl(['--namespace', 'nereid', ...args], READY_WITHIN_MS);
  await makeKeys(at('keys'));
  await kubectl('create', 'namespace', 'nereid');
  await kubectl('label', 'namespace', 'nereid', 'pod-security.kubernetes.io/enforce=privileged');
  for (const [name, process] of Object.entries(SECRETS)) {
    const files = Object.values(await secretFiles(process)).map((file) => `--from-file=${path.join(at('keys'), file)}`);
    await kubectl('create', 'secret', 'generic', `nereid-${name}`, ...files);
  }
  const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => `--from-literal=${name}=nobody`);
  await kubectl('create', 'secret', 'generic', 'storage', ...credentials);
  for (const worker of ['control', 'host']) await makeDisk(kubectl, worker, at(worker));
  await makeFolder(at('resources'));
  await writeFile(at('values.yaml'), stringify(chartValues(at('resources'))));
  return {
    keys: at('keys'),
    resources: at('resources'),
    async helm(command, tag) {
      const given = ['--namespace', 'nereid', '--values', at('values.yaml'), '--set-string', `image.tag=${tag}`];
      const wait = ['--wait', '--timeout', `${READY_WITHIN_MINUTES}m`];
      const env = { KUBECONFIG: cluster.kubeconfig };
      const result = await runHelm([command, 'nereid', CHART, ...given, ...wait], { env, timeoutMs: READY_WITHIN_MS });
      if (result.kind === 'exited' && result.exitCode === 0) return;
      const found = await kubectl('get', 'pods,events');
      throw new Error(`expected helm ${command} to succeed: ${JSON.stringify(result)}\n${found}`);
    },
    async isReady() {
      for (const set of SETS) await kubectl('rollout', 'status', set, `--timeout=${READY_WITHIN_MINUTES}m`);
    },
    async readyPods() {
      const { items } = JSON.parse(await kubectl('get', 'pods', '--output', 'json')) as {
        readonly items: readonly Pod[];
      };
      const ready = items.filter(
        ({ metadata, status }) => !metadata.deletionTimestamp && status.conditions?.some(isReadiness),
      );
      return ready.map(({ metadata }) => metadata.labels['app.kubernetes.io/component'] ?? '').toSorted();
    },
    addressOf: (name) => kubectl('get', 'service', name, '--output', 'jsonpath={.spec.clusterIP}'),
  };
}

/** What is looked at of a pod. */
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

const isReadiness = ({ type, status }: Condition) => type === 'Ready' && status === 'True';

async function makeKeys(folder: string): Promise<void> {
  await mkdir(folder);
  const argv = [process.execPath, 'packages/config/bin/nereid.js', 'keys', folder] as const;
  const made = await runCommand({ argv, env: {}, cwd: REPOSITORY, timeoutMs: KEYS_TIMEOUT_MS });
  if (made.kind !== 'exited' || made.exitCode !== 0) throw new Error(JSON.stringify(made));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(path.join(folder, 'github-app-private-key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(path.join(folder, 'github-webhook-secret'), randomBytes(32).toString('hex'));
}

/** Claims of workers find it by its size. */
async function makeDisk(kubectl: (...args: string[]) => Promise<string>, name: string, folder: string): Promise<void> {
  await makeFolder(folder);
  const spec = {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: { path: folder },
  };
  const disk = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
  await writeFile(`${folder}.yaml`, stringify(disk));
  await kubectl('create', '--filename', `${folder}.yaml`);
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder);
  await chown(folder, USER, USER);
}
