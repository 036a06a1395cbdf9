/** The values of the chart for a small cluster, whose services outside of it are on the node. */
import { RESOURCES } from '../images/containers/operator-files.ts';
import { REGISTRY, TAGS } from './cluster-images.ts';
import { NODE_ADDRESS } from './machine.ts';
import { GITHUB_PORT } from './merges.ts';
import { BUCKET, DOORS } from './services.ts';

const [FIRST] = TAGS;

/** Nobody else has this node. */
const LITTLE = { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '2', memory: '2Gi' } };

const PASSES_ON = `
  const { connect, createServer } = require('node:net');
  createServer((here) => {
    const there = connect(${DOORS.github}, '${NODE_ADDRESS}');
    here.on('error', () => there.destroy()).pipe(there).on('error', () => here.destroy()).pipe(here);
  }).listen(${GITHUB_PORT}, '127.0.0.1');
  process.on('SIGTERM', () => process.exit());
`;

/** A sidecar: GitHub speaks no TLS here, and so has to be on a loopback address of each pod. */
const GITHUB = {
  name: 'github',
  image: `${REGISTRY}/nereid-worker:${FIRST}`,
  restartPolicy: 'Always',
  command: ['node', '--eval', PASSES_ON],
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};

/** `resources` is the folder of what roots make. */
export function chartValues(resources: string): object {
  const all = { replicas: 1, resources: LITTLE, initContainers: [GITHUB] };
  const stored = { ...all, environmentFrom: [{ secretRef: { name: 'storage' } }] };
  const [name, volume] = ['resources', { size: '1Gi' }];
  const hosts = {
    ...stored,
    volume,
    installSeccompProfile: true,
    extraVolumes: [{ name, hostPath: { path: resources } }],
    extraMounts: [{ name, mountPath: RESOURCES }],
  };
  return {
    image: { registry: REGISTRY },
    github: { appId: 1, apiUrl: `http://127.0.0.1:${GITHUB_PORT}/api/v3` },
    temporal: { address: `${NODE_ADDRESS}:${DOORS.temporal}`, tls: { enabled: false } },
    gateway: { ...all, autoscaling: { enabled: false } },
    console: { ...stored, url: 'https://nereid.example.org' },
    control: { ...stored, volume },
    hosts,
    serverFile: { content: serverFile() },
  };
}

function serverFile(): object {
  const at = (what: string) => `s3://${BUCKET}/${what}`;
  const s3 = { region: 'eu-central-1', endpoint: `http://${NODE_ADDRESS}:${DOORS.storage}`, path_style: true };
  return {
    repositories: [{ match: 'acme/*', plan_review: 'required' }],
    // Without a version: the images have the Terraform of this machine, of whatever version.
    terraform: { downloads: false, sandbox_write: [RESOURCES], shared_state: [RESOURCES] },
    storage: { deployments: at('records'), plans: at('plans'), logs: at('logs'), s3 },
  };
}
