/** The configurations of the programs of a node. All their files are below one folder. */
import path from 'node:path';
import { PAUSE } from './cluster-images.ts';
import { BRIDGE, PODS } from './machine.ts';

/** `runtime` is the folder of its programs. */
export const containerdFile = (folder: string, runtime: string, socket: string) => `version = 3
root = '${folder}/containerd'
state = '/run/containerd'
[grpc]
address = '${socket}'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = '${PAUSE}'
[plugins.'io.containerd.cri.v1.runtime']
# Root of a machine that is a container itself may not lower what it has.
restrict_oom_score_adj = true
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
runtime_type = 'io.containerd.runc.v2'
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
BinaryName = '${runtime}/runc'
[plugins.'io.containerd.cri.v1.runtime'.cni]
bin_dirs = ['${runtime}']
conf_dir = '${folder}/networks'
`;

export const networkFile = (folder: string) => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: BRIDGE,
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: PODS, rangeStart: '10.88.1.1' }]],
        dataDir: path.join(folder, 'addresses'),
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});

export const kubeletFile = (folder: string, socket: string, group: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  containerRuntimeEndpoint: `unix://${socket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${group}`,
  // Either version will do, and so will a machine that swaps.
  failCgroupV1: false,
  failSwapOn: false,
  protectKernelDefaults: true,
  resolvConf: '',
  // Only this machine's test reaches it.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  // The disk is the machine's: images that are not used yet stay.
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
  volumePluginDir: path.join(folder, 'plug-ins'),
});
