import type { WorkerConfig } from '../../platform/config/config.ts';
import type { Target } from './what-answers.ts';

/** Where clouds hand out the credentials of the machine to whoever asks. */
const METADATA: readonly Target[] = [
  { name: 'metadata', host: '169.254.169.254', port: 80 },
  { name: 'metadata-google', host: 'metadata.google.internal', port: 80 },
  { name: 'metadata-ipv6', host: 'fd00:ec2::254', port: 80 },
];

/** Servers that no code of a repository needs to reach. */
export function targetsOf({ temporal, links }: Pick<WorkerConfig, 'temporal' | 'links'>): readonly Target[] {
  // The settings were read: an address of Temporal's is a host and a port.
  const server = new URL(`http://${temporal.server.address}`);
  const console = new URL(links.consoleUrl);
  return [
    { name: 'temporal', host: hostOf(server), port: Number(server.port || TEMPORAL_PORT) },
    {
      name: 'console',
      host: hostOf(console),
      port: Number(console.port || (console.protocol === 'https:' ? 443 : 80)),
    },
    ...METADATA,
  ];
}

const TEMPORAL_PORT = 7233;

/** An address of IPv6 stands in brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
