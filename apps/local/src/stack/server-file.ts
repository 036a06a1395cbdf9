/** The policy of the local stack, `nereid.server.yaml`, as a person would write it. */
import { readFile, writeFile } from 'node:fs/promises';
import type { PoolKeyFiles } from '@nereid/signature';
import path from 'node:path';
import { stringify } from 'yaml';
import { LOCAL_PERSON } from '../sample/people.ts';
import { FROZEN_ROOT, ROOTS, SAMPLE_NAME, WAVE_ROOTS, type RootName } from '../sample/repository.ts';
import type { Folders } from './folders.ts';
import type { Storage } from './storage.ts';

/** The entries that a stack may add to the file; default of each list: none. */
export interface Policy {
  /** The entries for repositories other than the sample. */
  readonly repositories?: readonly object[];
  /** Workflows besides those of the sample, by name. */
  readonly workflows?: Readonly<Record<string, object>>;
  /** Pull requests of the sample are planned. */
  readonly plansPullRequests?: boolean;
  /** Who reviews the sample's plans; default: `required`. */
  readonly planReview?: 'required' | 'before_merge';
  readonly policies?: readonly object[];
  /** How GitHub shows what is deployed where; default: not at all. */
  readonly deployments?: { readonly environment: string };
  /** The entries for environments whose jobs wait. */
  readonly protectionRules?: readonly object[];
  /** The entries for windows besides the freeze of the sample. */
  readonly windows?: readonly object[];
  /** The entries for waves besides those of the sample. */
  readonly waves?: readonly object[];
  readonly budgets?: readonly object[];
  /** A shell command that runs before each plan of the sample. */
  readonly beforePlan?: string;
  /** What code of roots reaches of the network; default: all that this machine reaches. */
  readonly network?: 'host' | 'none';
}

interface ServerFileOptions extends Policy {
  readonly folders: Folders;
  readonly storage: Storage;
  readonly distribution: 'terraform' | 'tofu';
  readonly sandbox: 'bubblewrap' | 'none';
  /** The keys of pools with a name. */
  readonly pools: ReadonlyMap<string, PoolKeyFiles>;
  /** The pools of roots of the sample. */
  readonly hosts: Readonly<Partial<Record<RootName, string>>>;
  /** Where Temporal's UI is, for links. */
  readonly temporalUi: string;
}

/** By default, they take the permission of an admin. */
const TRIED = ['stop', 'thaw', 'skip_soak', 'apply_force'] as const;

const HEADER = '# Written by the demo at each start.\n';

/** Returns the file's path. */
export async function writeServerFile(options: ServerFileOptions): Promise<string> {
  const {
    folders,
    storage,
    distribution,
    sandbox,
    repositories = [],
    workflows = {},
    windows = [],
    waves = [],
  } = options;
  const { planReview = 'required', plansPullRequests = false, policies = [], budgets = [], network = 'host' } = options;
  const file = path.join(folders.top, 'nereid.server.yaml');
  const policy = {
    repositories: [
      {
        match: SAMPLE_NAME,
        plan_review: planReview,
        ...(plansPullRequests && { pull_requests: 'plan' }),
        // The person of the console has no more, and can try all of it there.
        permissions: Object.fromEntries(TRIED.map((action) => [action, { permission: 'write' }])),
        roots: {
          ...Object.fromEntries(ROOTS.map((root) => [root, settingsOf(root, options)])),
          [FROZEN_ROOT]: { workflow: FROZEN_ROOT, plan_review: 'required', review: { count: 2 } },
          ...Object.fromEntries(WAVE_ROOTS.map((root) => [root, { workflow: root, plan_review: 'auto' }])),
        },
      },
      ...repositories,
    ],
    policies,
    ...(options.deployments && { deployments: options.deployments }),
    ...(options.protectionRules && { protection_rules: options.protectionRules }),
    windows: [{ ...FREEZE, repositories: [SAMPLE_NAME], roots: [FROZEN_ROOT] }, ...windows],
    waves: [{ ...CANARY, repositories: [SAMPLE_NAME] }, ...waves],
    budgets,
    pools: await Promise.all(Array.from(options.pools, poolOf)),
    console: {
      login: { local: { as: LOCAL_PERSON } },
      operators: [LOCAL_PERSON],
      temporal_ui: { url: options.temporalUi },
    },
    workflows: {
      ...Object.fromEntries([...ROOTS, FROZEN_ROOT, ...WAVE_ROOTS].map((root) => [root, workflowOf(root, options)])),
      ...workflows,
    },
    // Terraform was found, or installed and verified by its checksum, before anything was started.
    // Everything runs on this one machine, so there is nothing to be learnt.
    terraform: { distribution, downloads: false, sandbox, ...statesIn(folders.state), network, reachable: 'off' },
    ...storage.policy,
  };
  await writeFile(file, HEADER + stringify(policy), { mode: 0o600 });
  return file;
}

/** From yesterday on, for longer than anybody keeps the demo. */
export const FREEZE = {
  ...{ name: 'Year end', kind: 'deny', duration: '300d', timezone: 'UTC' },
  dtstart: new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 16),
};

/** The others wait until the state of the first one has what it deployed. */
const CANARY = {
  ...{ name: 'canary', roots: WAVE_ROOTS, max: 1 },
  checks: [
    { name: 'has an edge', run: { command: '"$TERRAFORM" state list | grep terraform_data.edge' }, every: '10s' },
  ],
};

function settingsOf(root: RootName, { hosts }: ServerFileOptions): object {
  const pool = hosts[root];
  return { workflow: root, ...(root === 'dns' && { plan_review: 'auto' }), ...(pool !== undefined && { hosts: pool }) };
}

async function poolOf([name, { sign, seal }]: readonly [string, PoolKeyFiles]): Promise<object> {
  const [signing, sealing] = await Promise.all([sign, seal].map(({ publicFile }) => readFile(publicFile, 'utf8')));
  return { name, public_key: signing, seal_public_key: sealing };
}

/** The state is outside of the working tree, which goes away with its deployment. */
function workflowOf(root: string, { folders, beforePlan }: ServerFileOptions): object {
  const state = path.join(folders.state, `${root}.tfstate`);
  const init = { init: { extra_args: [`-backend-config=path=${state}`] } };
  return { plan: [init, ...(beforePlan === undefined ? [] : [{ run: beforePlan }]), 'plan'], apply: ['apply'] };
}

/** One machine has all hosts, so they share its folders. */
function statesIn(folder: string): object {
  return { sandbox_write: [folder], shared_state: [folder] };
}
