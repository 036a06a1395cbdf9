/** The steps of the jobs of roots, as the server's file has them. */
import type { Root, Step } from '@nereid/domain/root';
import { z } from 'zod';
import { described, list, mapping, object, text } from '../../yaml/schema.ts';
import { STANDARD_STEPS, STANDARD_WORKFLOW } from './standard-workflow.ts';

/** A job with more is a script. */
const STEP_LIMIT = 100;

const ExtraArgs = object({
  extra_args: described(
    list(text('an argument'), STEP_LIMIT).optional(),
    'further arguments for these three, which may contain [variables](reference/server-file.md#variables-in-arguments)',
    'list',
  ),
});

/** The loader and the shell obey some variables before a sandbox is made. */
const ENV_NAME = described(
  text(
    'the name of an environment variable, but none of the loader or the shell',
    /^(?!(?:LD_\w*|GLIBC_TUNABLES|BASH_ENV|ENV|IFS)$)[A-Za-z_]\w*$/,
  ),
  'for `env`',
  'name of a variable',
);
const EnvStep = z.union(
  [
    object({ name: ENV_NAME, run: described(text('a command for the shell'), 'a command whose output is the value') }),
    object({
      name: ENV_NAME,
      value: described(
        z.string('a text'),
        'for `env`; with `run` instead, the value is the output of the command. The command runs once per deployment: the job `apply` gets the value of the job `plan`',
        'text',
      ),
    }),
  ],
  'either { name, run } or { name, value }',
);

const WrittenStep = z.union(
  [
    z.enum(['init', 'plan', 'apply']),
    object({
      init: described(
        ExtraArgs,
        'runs `terraform init`; after a network failure, retries it at most twice',
        '`init` or `init: { extra_args: […] }`',
      ),
    }),
    object({
      plan: described(
        ExtraArgs,
        'runs `terraform plan` with the `var_files` of the root',
        '`plan` or `plan: { extra_args: […] }`',
      ),
    }),
    object({
      apply: described(ExtraArgs, 'applies the plan that was shown', '`apply` or `apply: { extra_args: […] }`'),
    }),
    object({
      run: described(
        text('a command for the shell'),
        'runs the command with `/bin/sh`, with `BASE_REPO_OWNER`, `BASE_REPO_NAME`, `HEAD_COMMIT`, `DIR`, `PROJECT_NAME`, `REPO_REL_DIR`, `WORKSPACE`, `PLANFILE`, `TERRAFORM`',
        '`run: COMMAND`',
      ),
    }),
    object({
      env: described(EnvStep, 'sets a variable for all later steps', '`env: { name, value }`, `env: { name, run }`'),
    }),
  ],
  'a step: init, plan, apply, { plan: { extra_args: […] } }, { run: "…" } or { env: { name, run or value } }',
);
type WrittenStep = z.infer<typeof WrittenStep>;

export const Workflow = object({
  plan: described(list(WrittenStep, STEP_LIMIT), 'the steps of the plan'),
  apply: described(list(WrittenStep, STEP_LIMIT), 'the steps of the apply'),
});

export const Workflows = mapping('a name of letters, digits, "_" and "-"', /^[A-Za-z0-9][\w-]{0,99}$/, Workflow);

/** By name; `standard` is always there. */
export function normaliseWorkflows(workflows: z.infer<typeof Workflows>): ReadonlyMap<string, Root['steps']> {
  const named = Object.entries(workflows).map(([name, { plan, apply }]): [string, Root['steps']] => [
    name,
    { plan: plan.map(normaliseStep), apply: apply.map(normaliseStep) },
  ]);
  return new Map([[STANDARD_WORKFLOW, STANDARD_STEPS], ...named]);
}

export function normaliseStep(step: WrittenStep): Step {
  if (typeof step === 'string') return { kind: step, extraArgs: [] };
  if ('run' in step) return { kind: 'run', run: step.run };
  if ('init' in step) return { kind: 'init', extraArgs: step.init.extra_args ?? [] };
  if ('plan' in step) return { kind: 'plan', extraArgs: step.plan.extra_args ?? [] };
  if ('apply' in step) return { kind: 'apply', extraArgs: step.apply.extra_args ?? [] };
  return { kind: 'env', ...step.env };
}
