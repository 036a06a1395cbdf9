import type { ServerConfig } from '@nereid/config';

export type TerraformSettings = ServerConfig['terraform'];

/** Of a host that downloads nothing and checks nothing but its sandbox, with what a test changes. */
export function terraformSettings(changes: Partial<TerraformSettings> = {}): TerraformSettings {
  return {
    distribution: 'terraform',
    downloads: false,
    envAllow: [],
    envAllowPlan: [],
    envAllowApply: [],
    envAllowPreview: [],
    volatileAttributes: [],
    sandbox: 'bubblewrap',
    sandboxRead: [],
    sandboxWrite: [],
    sharedState: [],
    sandboxProcesses: 4096,
    sandboxFileBytes: 1e9,
    treeBytes: 1e9,
    network: 'host',
    reachable: 'warn',
    traces: false,
    ...changes,
  };
}
