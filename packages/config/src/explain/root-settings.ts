/** The settings of which one source counts: the first, or the strictest rule. */
import { poolOf, type Root } from '@nereid/domain/root';
import { chosenSettings, resolveRoot } from '../repository/resolve-root.ts';
import type { RootConfig } from '../repository/repository-config.ts';
import { durationText } from '../duration.ts';
import type { RepositoryPolicy } from '../server/policy.ts';
import { poolNamed } from '../server/pools.ts';
import { STANDARD_WORKFLOW } from '../server/standard-workflow.ts';
import type { RootSettings } from '../server/repository-entry.ts';
import type { Setting } from './explain-setting.ts';

/** Without a version that somebody has written. */
const BY_THE_CODE = 'the newest that required_version of the code permits';

export function rootSettings(policy: RepositoryPolicy, config: RootConfig, realDir: string): readonly Setting[] {
  const root = resolveRoot(policy, config, realDir);
  const { chosen, fixed } = chosenSettings(policy, config, realDir);
  const poolOfHosts = (hosts: string) => poolNamed(policy.pools, hosts) ?? hosts;
  const first = (key: string, setting: keyof RootSettings, result: string): Setting => ({
    key,
    choice: 'first',
    result,
    writtenIn: (settings) => textOf(settings[setting]),
    isFixed: fixed[setting] !== undefined,
  });
  const strictest = (key: string, setting: keyof RootSettings, result: string): Setting => ({
    ...first(key, setting, result),
    choice: 'strictest',
  });
  return [
    first('distribution', 'distribution', root.distribution),
    first('terraform_version', 'terraformVersion', root.terraformVersion ?? BY_THE_CODE),
    first('workflow', 'workflow', chosen.workflow ?? STANDARD_WORKFLOW),
    strictest('plan_review', 'planReview', root.planReview),
    first('queue', 'queue', root.queue),
    strictest('on_failure', 'onFailure', root.onFailure),
    timeout('plan', root, fixed),
    timeout('apply', root, fixed),
    {
      ...first('hosts', 'hosts', poolOf(root)),
      value: `the pool ${poolOf(root)}`,
      writtenIn: ({ hosts }) => hosts && poolOfHosts(hosts),
    },
    strictest('network', 'network', root.network ?? policy.network),
  ];
}

function timeout(job: 'plan' | 'apply', { timeoutMs }: Root, fixed: RootSettings): Setting {
  return {
    key: `timeout.${job}`,
    choice: 'first',
    result: durationText(timeoutMs[job]),
    writtenIn: (settings) => {
      const ms = settings.timeoutMs?.[job];
      return ms === undefined ? undefined : durationText(ms);
    },
    isFixed: fixed.timeoutMs !== undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
