/**
 * The workspace of a root, once an init made the backend known. Terraform refuses an init whose `TF_WORKSPACE` is not there, so an
 * init begins without, and a workspace that is not there is made, or a plan that makes nothing is given an empty state beside it.
 */
import { runCommand } from '@nereid/subprocess';
import { scanHcl, type Distribution } from '@nereid/hcl';
import { readConfigurationFiles, terraformBlocksOfJson, valuesOf } from './configuration-files.ts';
import type { Environment } from '../../environment.ts';
import { failureOf } from '../../failure/failure.ts';
import type { JobOptions } from '../job-options.ts';
import type { Job } from '../job.ts';
import type { judgedCommand } from '../judged-command.ts';
import { withRareCollections } from '../rare-collections.ts';
import { createOutputReader } from '../output/output-reader.ts';
import { stepResult, type StepResult } from '../step-result.ts';
import { stopTriggers } from '../stop-triggers.ts';
import { variableArguments } from '../variables/variables.ts';
import { withoutEscapes } from '../../without-escapes.ts';

/**
 * Whether Terraform selects the workspace by an init: the workspaces of its vendor's services need not have one called `default`,
 * and only an init makes them.
 */
export async function isSelectedByInit(rootDir: string, distribution: Distribution): Promise<boolean> {
  const files = await readConfigurationFiles(rootDir, distribution);
  return files.some(({ text, isJson }) =>
    isJson
      ? isSelectedByJson(text)
      : /\bbackend\s+"?remote\b/.test(text) ||
        [...scanHcl(text)].some(
          ({ kind, within, ...part }) =>
            kind === 'block' && within === 'terraform' && 'type' in part && part.type === 'cloud',
        ),
  );
}

function isSelectedByJson(text: string): boolean {
  return terraformBlocksOfJson(text).some(
    (block) =>
      valuesOf(block, 'cloud').some((cloud) => cloud !== null) ||
      valuesOf(block, 'backend').some((backend) => valuesOf(backend, 'remote').length > 0),
  );
}

export function withoutWorkspace({ TF_WORKSPACE: _workspace, ...env }: Environment): Environment {
  return env;
}

export type FoundWorkspace =
  | { readonly kind: 'there' | 'not-there' }
  | { readonly kind: 'ended'; readonly result: Exclude<StepResult, { kind: 'succeeded' }> };

/** Ten thousand names of 90 characters. */
const LIST_LIMIT_BYTES = 1024 * 1024;

export async function findWorkspace(options: JobOptions, job: Job): Promise<FoundWorkspace> {
  options.onStep?.('workspace');
  const listed = await listWorkspaces(options, job, { env: job.env(), sandbox: job.sandbox() });
  if (listed.kind === 'ended') return listed;
  return { kind: listed.names.includes(options.root.workspace) ? 'there' : 'not-there' };
}

export type ListedWorkspaces =
  { readonly kind: 'listed'; readonly names: readonly string[] } | Extract<FoundWorkspace, { readonly kind: 'ended' }>;

/** The workspaces that the backend of an initialised root has. */
export async function listWorkspaces(
  options: JobOptions,
  job: Job,
  { env, sandbox }: Pick<ReturnType<typeof judgedCommand>, 'env' | 'sandbox'>,
): Promise<ListedWorkspaces> {
  const { binary, hide } = options;
  const listed = await runCommand({
    argv: [binary, 'workspace', 'list', ...(await variableArguments('workspace', options, job.rootDir))],
    env: withRareCollections(withoutWorkspace(env)),
    cwd: job.rootDir,
    sandbox,
    outputLimitBytes: LIST_LIMIT_BYTES,
    ...stopTriggers(options, job),
  });
  const output = createOutputReader(hide);
  output.read(Buffer.from(listed.stderr));
  const result = stepResult('workspace', listed, output);
  if (result.kind !== 'succeeded') return { kind: 'ended', result };
  const names = withoutEscapes(listed.stdout)
    .split('\n')
    .map((line) => line.replace(/^[* ] /, '').trim())
    .filter((name) => name !== '');
  return { kind: 'listed', names };
}

/** Of a command that makes none. */
export function workspaceMissing(workspace: string): StepResult {
  return {
    kind: 'failed',
    failure: failureOf(`expected the workspace ${workspace} in the backend of this root, found none of that name`),
  };
}

/**
 * Replaces the backend by a state in the tree, of which nothing is kept, by a file that Terraform reads last. A command of the
 * sandbox writes it, because code of the root may have put a link in its place.
 */
export const PRETEND_EMPTY_STATE = `rm -rf zz_nereid_override.tf && cat > zz_nereid_override.tf <<'END'
terraform {
  backend "local" {
    path          = ".nereid-new-workspace/terraform.tfstate"
    workspace_dir = ".nereid-new-workspace"
  }
}
END`;

/** The arguments of an init for that state: those for the backend have no meaning there. */
export function withoutBackendArguments(args: readonly string[]): readonly string[] {
  const others = args.filter((arg, index) => {
    const isValue = /^--?backend-config$/.test(args[index - 1] ?? '');
    return !isValue && !/^--?(?:backend-config|backend|migrate-state|force-copy|reconfigure)(?:=|$)/s.test(arg);
  });
  return ['-reconfigure', ...others];
}
