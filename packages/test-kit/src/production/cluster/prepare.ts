/** A program: what the tests of a cluster need of the network, before they start in a network of their own. */
import { installMoto } from '../../cloud/start-moto.ts';
import { findDevServer } from '../../temporal/find-dev-server.ts';
import { InstallError, ToolNotFoundError } from '../../toolchain/errors.ts';
import { withElapsed } from '../../toolchain/report.ts';
import { findEtcd, findKubernetes } from '../chart/find-kubernetes.ts';
import { findHelm } from '../chart/tools.ts';
import { findNetworkTools } from '../compose-up/find-compose.ts';
import { problemsOf, readMachine } from './check-machine.ts';
import { saveImages } from './cluster-images.ts';
import { findRuntime } from './find-runtime.ts';

const { env } = process;
const report = (line: string) => process.stdout.write(`${line}\n`);

/** Each is in the cache afterwards, except the images, which are those of today. */
const STEPS: readonly (readonly [title: string, step: () => Promise<unknown>])[] = [
  ['Kubernetes, which Go builds in half an hour the first time', () => findKubernetes('kubelet', env)],
  ['etcd, from Debian', () => findEtcd(env)],
  ['containerd, runc and the plug-ins of networks, which Go builds', () => findRuntime(env)],
  ['iptables, from Debian', () => findNetworkTools(env)],
  ['Helm, which Go builds', () => findHelm(env)],
  ['a Temporal server', () => findDevServer({ env, report })],
  ['moto, which stands in for S3', () => installMoto({ env, report })],
  ['the images, which Docker’s engine of Debian builds', () => saveImages(env)],
];

const problems = problemsOf(await readMachine(env));
problems.forEach(report);
if (problems.length > 0) process.exit(1);
try {
  for (const [title, step] of STEPS) await withElapsed(report, title, step);
} catch (error) {
  if (!(error instanceof InstallError || error instanceof ToolNotFoundError)) throw error;
  report(`${error.message}\nMend this, and run make test-cluster again: it goes on here.`);
  process.exit(1);
}
