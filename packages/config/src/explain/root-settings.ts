/** The settings of roots: those of which one source counts (the first, or the strictest rule), and the others by name. */
import { poolOf, type Root } from '@nereid/domain/root';
import { chosenSettings, resolveRoot } from '../repository/resolve-root.ts';
import type { RootConfig } from '../repository/repository-config.ts';
import { durationText } from '@nereid/domain/duration';
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import type { SettingsForRoot } from '../server/repository-policy/settings-for.ts';
import { poolNamed } from '../server/pools.ts';
import { escalateText, hoursText, remindText } from '../server/review/reminders.ts';
import { LONGEST_REVIEW_MS } from '../server/review/review-schema.ts';
import { STANDARD_WORKFLOW } from '../server/workflows/standard-workflow.ts';
import type { ReviewSettings, RootSettings } from '../server/repository-entry.ts';
import { yesOrNo, type Setting } from './explain-setting.ts';

/** Without a version that somebody has written. */
const BY_THE_CODE = 'the newest that required_version of the code permits';

/** Settings of which several sources count together: each has a function of its own. */
type Together = 'permissions' | 'environment' | 'envFrom' | 'identity' | 'autoWhen';

/** A setting without a row does not compile. */
type Rows = Readonly<Record<Exclude<keyof RootSettings, Together>, readonly Setting[]>>;

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
  const rows: Rows = {
    distribution: [first('distribution', 'distribution', root.distribution)],
    terraformVersion: [first('terraform_version', 'terraformVersion', root.terraformVersion ?? BY_THE_CODE)],
    workflow: [first('workflow', 'workflow', chosen.workflow ?? STANDARD_WORKFLOW)],
    planReview: [strictest('plan_review', 'planReview', root.planReview)],
    review: [reviewExpiry(root), ...reminders(chosenSettings(policy, config, realDir).settings)],
    maxPlanAgeMs: [maxPlanAge(chosen)],
    carryReview: [strictest('carry_review', 'carryReview', root.carryReview ?? 'never')],
    queue: [first('queue', 'queue', root.queue)],
    onFailure: [strictest('on_failure', 'onFailure', root.onFailure)],
    timeoutMs: [timeout('plan', root, fixed), timeout('apply', root, fixed)],
    hosts: [
      {
        ...first('hosts', 'hosts', poolOf(root)),
        value: `the pool ${poolOf(root)}`,
        writtenIn: ({ hosts }) => hosts && poolOfHosts(hosts),
      },
    ],
    prepareRevert: [
      {
        ...first('prepare_revert', 'prepareRevert', yesOrNo(chosen.prepareRevert ?? true)),
        writtenIn: ({ prepareRevert }) => (prepareRevert === undefined ? undefined : yesOrNo(prepareRevert)),
      },
    ],
    network: [strictest('network', 'network', root.network ?? policy.network)],
  };
  return Object.values(rows).flat();
}

/** Who has to confirm plans is explained with all that says it. */
function reviewExpiry({ review }: Root): Setting {
  return {
    key: 'review.expires',
    choice: 'strictest',
    result: durationText(review?.expiresMs ?? LONGEST_REVIEW_MS),
    writtenIn: (settings) => textOfMs(settings.review?.expiresMs),
  };
}

/** The nearest source counts for each. */
function reminders({ reminders: own }: Pick<SettingsForRoot, 'reminders'>): readonly Setting[] {
  const row = (key: string, result: string, writtenIn: (review: ReviewSettings) => string | undefined): Setting => ({
    ...{ key, choice: 'first', result },
    writtenIn: ({ review = {} }) => writtenIn(review),
  });
  return [
    row('review.remind', remindText(own?.remindMs) ?? 'never', ({ remindMs }) => remindText(remindMs)),
    row('review.escalate', escalateText(own?.escalate) ?? 'to nobody', ({ escalate }) => escalateText(escalate)),
    row('review.hours', hoursText(own?.hours) ?? 'all', ({ hours }) => hoursText(hours)),
  ];
}

function maxPlanAge({ maxPlanAgeMs }: Pick<RootSettings, 'maxPlanAgeMs'>): Setting {
  return {
    key: 'max_plan_age',
    choice: 'strictest',
    result: textOfMs(maxPlanAgeMs) ?? 'none: a plan of any age is applied',
    writtenIn: (settings) => textOfMs(settings.maxPlanAgeMs),
  };
}

function timeout(job: 'plan' | 'apply', { timeoutMs }: Root, fixed: RootSettings): Setting {
  return {
    key: `timeout.${job}`,
    choice: 'first',
    result: durationText(timeoutMs[job]),
    writtenIn: (settings) => textOfMs(settings.timeoutMs?.[job]),
    isFixed: fixed.timeoutMs !== undefined,
  };
}

function textOfMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : durationText(ms);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
