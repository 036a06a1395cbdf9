/** How Terraform runs on hosts, as the server's file has it. */
import { defined } from '@nereid/domain/defined';
import type { Network, Root } from '@nereid/domain/root';
import { z } from 'zod';
import { ABSOLUTE_PATH } from '../../settings/path-schema.ts';
import { MEMBER_LIMIT } from '../../settings/people-schema.ts';
import { DISTRIBUTION, EXACT_VERSION, NETWORK, safeUrl } from '../../settings/settings-schema.ts';
import { withoutTrailingSlash } from '../../settings/without-trailing-slash.ts';
import { described, flag, list, object, oneOf, text } from '../../yaml/schema.ts';

/** Terraform alone takes 50 MiB. */
const MEMORY = /^((6[4-9]|[7-9]\d|[1-9]\d{2,5})MiB|[1-9]\d{0,3}GiB)$/;

const FILES = list(text('an absolute path of a file or folder, without ".."', ABSOLUTE_PATH), MEMBER_LIMIT);

const ALLOWED_VARIABLES = list(
  text('the name of an environment variable; "*" stands for any part', /^[\w*]+$/),
  MEMBER_LIMIT,
);

export const Terraform = object({
  distribution: described(DISTRIBUTION.optional(), 'for roots that set none', '`terraform`, `tofu` (`terraform`)'),
  version: described(
    EXACT_VERSION.optional(),
    'for roots that set none and whose code has no `required_version`',
    'exact version',
  ),
  downloads: described(
    flag().optional(),
    'versions that are neither in `PATH` nor cached are downloaded and checked against their published checksums',
    'flag (`true`)',
  ),
  mirror: described(
    safeUrl('serve the mirror with TLS').optional(),
    "has `<distribution>/index.json` and `<distribution>/<version>/…`, like releases.hashicorp.com, with the vendor's signatures",
    "https URL (the vendor's site)",
  ),
  parallel_runs: described(
    z.int('a whole number').min(1, 'at least 1').max(256, 'at most 256').optional(),
    'slots of each host',
    "1 to 256 (twice the host's cores)",
  ),
  parallel_plans: described(
    z.int('a whole number').min(1, 'at least 1').max(256, 'at most 256').optional(),
    'slots of each host reserved for plans of pull requests, which borrow all others until deployments need them',
    '1 to 256 (half of `parallel_runs`, at least 1)',
  ),
  env_allow: described(
    ALLOWED_VARIABLES.optional(),
    "variables of the worker that Terraform and steps see; the worker's own secrets are never among them",
    'list of names, `*` at their end (none)',
  ),
  env_allow_plan: described(
    ALLOWED_VARIABLES.optional(),
    'more such variables, for plans of deployments only',
    'list of names, `*` at their end (none)',
  ),
  env_allow_apply: described(
    ALLOWED_VARIABLES.optional(),
    'more such variables, for applies only',
    'list of names, `*` at their end (none)',
  ),
  env_allow_preview: described(
    ALLOWED_VARIABLES.optional(),
    'variables that plans of pull requests see instead of those of `env_allow`, because nobody has merged their code',
    'list of names, `*` at their end (none)',
  ),
  volatile_attributes: described(
    list(
      text('the type of a resource and an attribute, like aws_lambda_function.last_modified', /^[\w-]+(?:\.[^\s.]+)+$/),
      MEMBER_LIMIT,
    ).optional(),
    'attributes that make no difference between [equal plans](guides/reviews.md#equal-plans)',
    'list of `type.attribute` (none)',
  ),
  sandbox: described(
    oneOf(['bubblewrap', 'none']).optional(),
    'what keeps code of repositories from [everything that is not its own](concepts/sandbox.md); `none`: nothing',
    '`bubblewrap`, `none` (`bubblewrap`)',
  ),
  sandbox_read: described(
    FILES.optional(),
    'files and folders that every command can read in its sandbox; they must exist',
    'list of absolute paths (none)',
  ),
  sandbox_write: described(
    FILES.optional(),
    'files and folders that every command can change',
    'list of absolute paths (none)',
  ),
  shared_state: described(
    FILES.optional(),
    'folders, part of `sandbox_write`, that all hosts of all roots share: where the backend `local` [may keep a state](guides/states.md)',
    'list of absolute paths (none)',
  ),
  secrets_folder: described(
    text('an absolute path of a folder, without ".."', ABSOLUTE_PATH).optional(),
    'the folder of each host with the files of `env_from`, which no command sees',
    'absolute path',
  ),
  sandbox_processes: described(
    z.int('a whole number').min(64, 'at least 64').max(1_000_000, 'at most 1000000').optional(),
    'processes and threads of a command at a time; the kernel does not limit the user root',
    '64 to 1000000 (4096)',
  ),
  sandbox_file_gb: described(
    z.int('a whole number').min(1, 'at least 1').max(1_000_000, 'at most 1000000').optional(),
    'gigabytes that a command may write to one file, not to all its files',
    '1 to 1000000 (20)',
  ),
  tree_gb: described(
    z.int('a whole number').min(1, 'at least 1').max(1_000_000, 'at most 1000000').optional(),
    'gigabytes that the [working tree](operate/disk.md#working-trees) of one revision may take on the disk of a host',
    '1 to 1000000 (5)',
  ),
  memory: described(
    text('an amount of memory from 64MiB, like 4GiB', MEMORY).optional(),
    'memory that the commands of a job may use together, if the worker [can limit it](concepts/sandbox.md#memory)',
    '`64MiB` to `9999GiB` (none)',
  ),
  network: described(
    NETWORK.optional(),
    'what commands reach: everything that the worker reaches, or nothing',
    '`host`, `none` (`host`)',
  ),
  reachable: described(
    oneOf(['warn', 'refuse', 'off']).optional(),
    'what a worker does if it finds at startup that commands [reach](reference/network.md#reachable) Temporal, the console or a metadata service',
    '`warn`, `refuse`, `off` (`warn`)',
  ),
  traces: described(
    flag().optional(),
    'Terraform and OpenTofu add their spans to [the trace](guides/traces.md#terraforms-own-spans) of a deployment',
    'flag (`false`)',
  ),
});
type Terraform = z.infer<typeof Terraform>;

export interface TerraformConfig {
  readonly distribution: Root['distribution'];
  /** For roots that name none and whose code requires none. */
  readonly version?: string;
  /** Versions that are not installed are fetched and checked against their published sums. */
  readonly downloads: boolean;
  /** The site that releases are fetched from instead of the vendor's; no trailing slash. */
  readonly mirror?: string;
  /** Slots of one host; absent for twice its cores. */
  readonly parallelRuns?: number;
  /** How many of them previews hold at most; absent for half of them. */
  readonly parallelPlans?: number;
  /** Names, or globs of names, of environment variables that Terraform may see. */
  readonly envAllow: readonly string[];
  /** More of them for the plans of deployments, and for their applies. */
  readonly envAllowPlan: readonly string[];
  readonly envAllowApply: readonly string[];
  /** What previews see instead, whose code nobody has merged. */
  readonly envAllowPreview: readonly string[];
  /** `type.attribute`: they make no difference between two plans that are compared for `carry_review`. */
  readonly volatileAttributes: readonly string[];
  /** What keeps the code of repositories from everything that is not its own. `none`: nothing does. */
  readonly sandbox: 'bubblewrap' | 'none';
  /** Absolute paths of files and folders that every command sees in its sandbox, and may write. */
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
  /** Absolute paths of folders that all hosts share, where the backend `local` may keep a state. */
  readonly sharedState: readonly string[];
  /** Absolute path of the folder with the files of `env_from`, on each host. */
  readonly secretsFolder?: string;
  /** How many processes and threads a command may have at a time in its sandbox. */
  readonly sandboxProcesses: number;
  /** How large a file may be that a command writes in its sandbox. */
  readonly sandboxFileBytes: number;
  /** How much the working tree of one revision may take on the disk. */
  readonly treeBytes: number;
  /** How much memory the commands of a job may have together; absent for all that the worker may have. */
  readonly memoryBytes?: number;
  /** What commands reach of the network. `host`: all that the worker reaches. */
  readonly network: Network;
  /** What a worker does at its start about addresses that code of repositories reaches without a need. */
  readonly reachable: 'warn' | 'refuse' | 'off';
  /** Terraform and OpenTofu send traces to the collector of their host. */
  readonly traces: boolean;
}

/** Terraform with ten providers at work has 400 threads; ten times as many are no accident. */
const SANDBOX_PROCESSES = 4096;

/** Larger than any provider or archive that was seen, and no more than the disk that a worker's caches have by default. */
const SANDBOX_FILE_GB = 20;

/** GitHub recommends that a whole repository, with its history, stays below this. */
const TREE_GB = 5;

export function normaliseTerraform(terraform: Terraform): TerraformConfig {
  return {
    distribution: terraform.distribution ?? 'terraform',
    ...defined({ version: terraform.version }),
    downloads: terraform.downloads ?? true,
    ...(terraform.mirror !== undefined && { mirror: withoutTrailingSlash(terraform.mirror) }),
    ...defined({ parallelRuns: terraform.parallel_runs, parallelPlans: terraform.parallel_plans }),
    envAllow: terraform.env_allow ?? [],
    envAllowPlan: terraform.env_allow_plan ?? [],
    envAllowApply: terraform.env_allow_apply ?? [],
    envAllowPreview: terraform.env_allow_preview ?? [],
    volatileAttributes: terraform.volatile_attributes ?? [],
    sandbox: terraform.sandbox ?? 'bubblewrap',
    sandboxRead: terraform.sandbox_read ?? [],
    sandboxWrite: (terraform.sandbox_write ?? []).map(withoutTrailingSlash),
    sharedState: (terraform.shared_state ?? []).map(withoutTrailingSlash),
    ...(terraform.secrets_folder !== undefined && { secretsFolder: withoutTrailingSlash(terraform.secrets_folder) }),
    sandboxProcesses: terraform.sandbox_processes ?? SANDBOX_PROCESSES,
    sandboxFileBytes: (terraform.sandbox_file_gb ?? SANDBOX_FILE_GB) * 1e9,
    treeBytes: (terraform.tree_gb ?? TREE_GB) * 1e9,
    ...(terraform.memory !== undefined && { memoryBytes: bytesOf(terraform.memory) }),
    network: terraform.network ?? 'host',
    reachable: terraform.reachable ?? 'warn',
    traces: terraform.traces ?? false,
  };
}

function bytesOf(memory: string): number {
  return Number.parseInt(memory, 10) * 1024 ** (memory.endsWith('GiB') ? 3 : 2);
}
