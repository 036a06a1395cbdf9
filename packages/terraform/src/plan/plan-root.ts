import { lstat, realpath } from 'node:fs/promises';
import { defined } from '@nereid/domain/defined';
import { COUNT_ROWS, type PlanSummary, type PlanWarnings } from '@nereid/domain/plan';
import { hasErrorCode } from '@nereid/subprocess';
import { versionFileWarning } from '../binary/version-file.ts';
import { digestOf } from './digest.ts';
import type { Environment } from '../environment.ts';
import type { JobOptions } from '../job/job-options.ts';
import type { Job } from '../job/job.ts';
import { createJob } from '../job/create-job.ts';
import { whyOtherWorkspace } from '../job/init/default-workspace.ts';
import { copyPlan } from './copy-plan.ts';
import { readPlan } from './read-plan.ts';
import { planWarnings, shownText } from './plan-warnings.ts';
import { readPlanText, type PlanTexts } from './text/read-plan-text.ts';
import { readStateVersion } from '../state/read-state-version.ts';
import { locateRoot } from '../job/root-dir.ts';
import { ended, failed, showPlan, type NotShown, type Shown } from './show-plan.ts';

export type PlanResult =
  | {
      readonly kind: 'planned';
      /** True for exit code 2 of `plan -detailed-exitcode`, false for 0. */
      readonly hasChanges: boolean;
      /** SHA-256 of the plan file, 64 hex digits. */
      readonly digest: string;
      readonly summary: PlanSummary;
      /** As in `MadePlan`. */
      readonly types?: readonly string[];
      /** As in `Plan`. */
      readonly warnings?: PlanWarnings;
      readonly doubt?: string;
      readonly stateVersion?: string;
      /** The workspace is not there, so it was planned against nothing, and nothing can apply it. */
      readonly newWorkspace?: true;
      /** Absent for a plan without changes. */
      readonly texts?: PlanTexts;
      readonly planFile: string;
      /** Values of `env` steps, to be kept with the plan and given to its apply. May be secret. */
      readonly envValues: Environment;
    }
  | NotShown;

/**
 * Runs the plan steps of a root and reads the plan that they made. Throws only failures of the host: `StepNotStartedError`,
 * `LogFailedError`, errors of the file system.
 */
export async function planRoot(options: JobOptions): Promise<PlanResult> {
  const located = await locateRoot(options.treeDir, options.root.dir);
  if (located.kind === 'not-found') return failed(located.why);

  const job = await createJob(options, located.rootDir, {
    timeoutMs: options.root.timeoutMs.plan,
    planAccess: 'write',
  });
  let hasChanges: boolean | undefined;
  const printed: string[] = [];
  for (const [index, step] of options.root.steps.plan.entries()) {
    if (step.kind === 'apply')
      return failed("expected no apply among the plan steps of this root, found one: remove it from the server's file");
    const result = await job.run(step, `${index + 1}-${step.kind}`);
    if (result.kind !== 'succeeded') return ended(result);
    if (step.kind === 'plan') hasChanges = result.exitCode === 2;
    if (step.kind === 'plan' || step.kind === 'init') printed.push(...result.output.warnings());
  }
  if (hasChanges === undefined) return failed('expected a plan among the plan steps of this root, found none');
  return describePlan(options, job, { hasChanges, printed });
}

/** Five times the largest that we know of. It is copied, hashed, and stored; code of the root could fill it up to any size. */
const PLAN_LIMIT_MIB = 256;

/** What the steps of a plan left besides its file. */
interface Ran {
  /** As the exit code says. */
  readonly hasChanges: boolean;
  /** What init and plan warned of. */
  readonly printed: readonly string[];
}

/**
 * Code of the root runs while its plan is made, and could write another plan, or end the command with another exit code. So
 * the file is believed and not the exit code, and it cannot be changed while it is shown.
 */
async function describePlan(options: JobOptions, job: Job, { hasChanges, printed }: Ran): Promise<PlanResult> {
  const { planFile } = options;
  const bytes = await bytesOf(planFile);
  if (bytes === 0) return failed(NO_PLAN);
  const sizeMib = Math.ceil(bytes / 1024 ** 2);
  if (sizeMib > PLAN_LIMIT_MIB)
    return failed(`expected a plan file of at most ${PLAN_LIMIT_MIB} MiB, found ${sizeMib} MiB; split the root`);
  await copyPlan(planFile, planFile);
  const summarising = summarise(options, job);
  const [digest, stateVersion, summarised, described] = await Promise.all([
    digestOf(planFile).then((made) => {
      options.onPlanMade?.({ digest: made, envValues: job.envValues });
      return made;
    }),
    readStateVersion(planFile),
    summarising,
    hasChanges ? describe(options, job, summarising) : NO_TEXT,
  ]);
  if (summarised.kind !== 'shown') return summarised;
  if (described.kind !== 'shown') return described;
  const { summary, checks, types, isWithoutCode } = summarised.content;
  const [ofVersion, doubted] = await Promise.all([
    versionWarning(options, job),
    hasChanges ? whyOtherWorkspace(options, job, stateVersion) : undefined,
  ]);
  const own = ofVersion === undefined ? [] : [ofVersion];
  const warnings = planWarnings({ checks, printed: [...own, ...printed] }, options.hide);
  // Not both: an empty state has nothing to destroy.
  const why = isWithoutCode ? WITHOUT_CODE : doubted;
  const doubt = why === undefined ? undefined : shownText(why, options.hide);
  const texts = described.content;
  const isChanged = COUNT_ROWS.some(([name]) => (summary[name] ?? 0) > 0);
  if (isChanged && !hasChanges)
    return failed('expected a plan without changes, as its exit code says, found one with changes');
  const { envValues } = job;
  const ofState = job.isWorkspacePretended ? ({ newWorkspace: true } as const) : defined({ stateVersion });
  const details = { ...defined({ types, doubt }), ...(warnings && { warnings }), ...ofState, ...(texts && { texts }) };
  return { kind: 'planned', hasChanges, digest, summary, ...details, planFile, envValues };
}

/**
 * What Terraform cannot know: that it is not the version that its people use. That asks nobody: what it would change is in the plan,
 * and versions since 0.14 read each other's states.
 */
async function versionWarning(options: JobOptions, { rootDir }: Job): Promise<string | undefined> {
  const { treeDir, root, terraformVersion: version } = options;
  if (version === undefined || root.terraformVersion !== undefined) return undefined;
  const { distribution } = root;
  return versionFileWarning({ treeDir: await realpath(treeDir), rootDir, distribution, version });
}

const NO_PLAN =
  'expected the plan in the file that -out names, found none there: look for another -out among the arguments of this root, and for code that removes it';

/** Zero when there is nothing that can be read as a file to its end: code of the root may have put anything in its place. */
async function bytesOf(planFile: string): Promise<number> {
  try {
    const found = await lstat(planFile);
    return found.isFile() ? found.size : 0;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0;
    throw error;
  }
}

interface Summarised {
  /** Whether what Terraform marks as sensitive is hidden from here on. */
  readonly isHidden: boolean;
  readonly summary: PlanSummary;
  readonly checks: readonly string[];
  readonly types?: readonly string[];
  readonly isWithoutCode: boolean;
}

/** Without its full stop. Such a directory is taken for a root because of its backend, and its plan finds the state of another directory's code. */
const WITHOUT_CODE =
  'the code of this root declares no resources and no modules, so this plan destroys what its state holds. If its files are for ' +
  'another directory, such as a backend.tf that a script copies, reject it, and name this directory in autodiscover.ignore ' +
  'of nereid.yaml';

const NO_TEXT: Shown<undefined> = { kind: 'shown', content: undefined };

function summarise(options: JobOptions, job: Job): Promise<Shown<Summarised>> {
  options.onStep?.('read');
  return showPlan(options, job, {
    as: '-json',
    to: 'plan.json',
    read: async (file, signal) => {
      const read = await readPlan(file, signal);
      if (read.kind === 'unreadable') return failed(`the summary of the plan cannot be read: ${read.why}`);
      if (read.sensitive !== undefined) options.onSensitiveValues?.(read.sensitive);
      await options.onPlanJson?.(file);
      const { summary, failedChecks: checks, types, isWithoutCode = false, sensitive } = read;
      const isHidden = sensitive !== undefined;
      return { kind: 'shown', content: { isHidden, summary, checks, isWithoutCode, ...defined({ types }) } };
    },
  });
}

/**
 * From the plan file: what a plan step prints can come from code of the root as well. It is read once the summary has said what to
 * hide; without that, nothing of it is shown.
 */
function describe(
  options: JobOptions,
  job: Job,
  summarising: Promise<Shown<Summarised>>,
): Promise<Shown<PlanTexts | undefined>> {
  return showPlan<PlanTexts | undefined>(options, job, {
    as: '-no-color',
    to: 'plan.txt',
    read: async (file, signal) => {
      const summarised = await summarising;
      if (summarised.kind !== 'shown' || !summarised.content.isHidden) return NO_TEXT;
      return { kind: 'shown', content: await readPlanText(file, signal, options.hideInStream?.()) };
    },
  });
}
