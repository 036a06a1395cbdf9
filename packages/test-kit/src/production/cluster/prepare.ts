/** A program: what the tests of a cluster need of the network, before they start in a network of their own. */
import { installMoto } from '../../cloud/start-moto.ts';
import { findDevServer } from '../../temporal/find-dev-server.ts';
import { findEtcd, findKubernetes } from '../chart/find-kubernetes.ts';
import { findHelm } from '../chart/tools.ts';
import { findNetworkTools } from '../compose-up/find-compose.ts';
import { saveImages } from './cluster-images.ts';
import { findRuntime } from './find-runtime.ts';

const { env } = process;
const report = (line: string) => process.stdout.write(`${line}\n`);

report('building Kubernetes and containerd with Go, which takes half an hour the first time');
await findKubernetes('kubelet', env);
await findEtcd(env);
await findRuntime(env);
await findNetworkTools(env);
await findHelm(env);
await findDevServer({ env, report });
await installMoto({ env, report });
report('building the images');
await saveImages(env);
