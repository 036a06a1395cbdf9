import { defined } from '@nereid/domain/defined';
import { DEFAULT_POOL, type Root } from '@nereid/domain/root';
import { withArgumentsOf } from '../server/arguments/argument-variables.ts';
import { SETTING_OF_OVERRIDE } from '../settings/overrides.ts';
import { placeOf } from '../server/glob.ts';
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { settingsFor, type SettingsForRoot } from '../server/repository-policy/settings-for.ts';
import { poolNamed } from '../server/pools.ts';
import { STANDARD_STEPS, STANDARD_WORKFLOW } from '../server/workflows/standard-workflow.ts';
import { DEFAULT_TIMEOUT_MS } from '../settings/timeout.ts';
import type { RootConfig } from './repository-config.ts';
import type { RootSettings } from '../server/repository-entry.ts';

/**
 * Combines the settings of the server and of the repository into one complete, plain object. Settings that the repository may
 * not set are left out here too, whatever its reader let through. Throws when the policy has no such workflow: the rules
 * refuse such a configuration earlier.
 */
export function resolveRoot(policy: RepositoryPolicy, root: RootConfig, realDir = root.dir): Root {
  const { settings, chosen, overrides } = chosenSettings(policy, root, realDir);
  return {
    name: root.name,
    dir: root.dir,
    ...(realDir !== root.dir && { realDir }),
    workspace: root.workspace,
    distribution: chosen.distribution ?? policy.distribution,
    ...defined({ terraformVersion: chosen.terraformVersion }),
    planReview: chosen.planReview,
    queue: chosen.queue ?? 'every',
    onFailure: chosen.onFailure,
    varFiles: root.varFiles,
    timeoutMs: { ...DEFAULT_TIMEOUT_MS, ...settings.timeoutMs, ...chosen.timeoutMs },
    steps: stepsOf(policy, root, chosen.workflow),
    permissions: settings.permissions,
    // A repository that says itself who reviews its plans is asked.
    ...defined({ review: settings.review, autoWhen: overrides.planReview ? undefined : settings.autoWhen }),
    ...(settings.carryReview === 'same_plan' && { carryReview: settings.carryReview }),
    ...poolFor(policy, chosen.hosts),
    ...(settings.network !== policy.network && { network: settings.network }),
  };
}

export interface ChosenSettings {
  /** Those of the server. */
  readonly settings: Omit<SettingsForRoot, 'fixed'>;
  /** The same, with those that the repository sets and may set. */
  readonly chosen: Omit<SettingsForRoot, 'fixed' | 'review' | 'autoWhen' | 'reminders'>;
  /** Those that the repository sets and may set. */
  readonly overrides: RootSettings;
  /** Those that rules for the root set: the repository cannot. */
  readonly fixed: RootSettings;
}

export function chosenSettings(policy: RepositoryPolicy, root: RootConfig, realDir = root.dir): ChosenSettings {
  const { fixed, ...settings } = settingsFor(policy, placeOf({ ...root, realDir }));
  const overrides = allowedOverridesOf(policy, root, fixed);
  return { settings, chosen: { ...settings, ...overrides }, overrides, fixed };
}

/** The default pool has no name in an order. */
function poolFor({ pools }: RepositoryPolicy, hosts = DEFAULT_POOL): Pick<Root, 'pool'> {
  const pool = poolNamed(pools, hosts);
  if (pool === undefined)
    throw new Error(`expected a pool of the server's configuration, found ${hosts}; its rules let it through`);
  return pool === DEFAULT_POOL ? {} : { pool };
}

function allowedOverridesOf(
  policy: RepositoryPolicy,
  root: RootConfig,
  fixed: RootSettings,
): Omit<RootSettings, 'permissions'> {
  const entries = policy.allowedOverrides
    .map((override) => SETTING_OF_OVERRIDE[override])
    .filter((setting) => root[setting] !== undefined && fixed[setting] === undefined)
    .map((setting) => [setting, root[setting]] as const);
  const { hosts } = root;
  const mayHave = hosts !== undefined && policy.allowedHosts.includes(hosts) && fixed.hosts === undefined;
  return { ...Object.fromEntries(entries), ...(mayHave && { hosts }) };
}

/** Its plan fails before anything of the root runs. */
function refusing(why: string): Root['steps'] {
  return { plan: [{ kind: 'refuse', why }, ...STANDARD_STEPS.plan], apply: STANDARD_STEPS.apply };
}

function stepsOf(policy: RepositoryPolicy, root: RootConfig, workflow = STANDARD_WORKFLOW): Root['steps'] {
  if (root.refused !== undefined) return refusing(root.refused);
  const steps = policy.workflows.get(workflow);
  if (!steps)
    throw new Error(`expected a workflow of the server's configuration, found ${workflow}; its rules let it through`);
  return withArgumentsOf(steps, root);
}
