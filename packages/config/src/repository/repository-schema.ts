/** The shape of `nereid.yaml` as it is written. Requirements beyond the shape are rules in repository-rules.ts. */
import { z } from 'zod';
import { advised, described, flag, list, object, oneOf, text } from '../yaml/schema.ts';
import {
  AFTER_FAILURE,
  DISTRIBUTION,
  EXACT_VERSION,
  HOSTS,
  PLAN_REVIEW,
  QUEUE,
  workflowNamed,
} from '../settings/settings-schema.ts';
import { TIMEOUT } from '../settings/timeout.ts';
import { LIST_LIMIT, ROOTS_LIMIT } from './repository-limits.ts';
import { WORKSPACE, WORKSPACE_EXPECTED } from './workspace.ts';

export const RootEntry = object({
  name: described(
    text('a name').optional(),
    "the root's name in check runs, commands and the server's file",
    '[name](reference/repository-file.md#names-and-limits) (from `dir`)',
  ),
  dir: described(
    text('the directory of the root, relative to the top of the repository'),
    'the directory, from the top of the repository',
    'path, required',
  ),
  workspace: described(
    text(WORKSPACE_EXPECTED, WORKSPACE).optional(),
    'the Terraform [workspace](guides/states.md#workspaces); a directory may have several roots, each with its own workspace',
    'text (`default`)',
  ),
  enabled: described(
    flag().optional(),
    '`false`: merges do not deploy it, but commands that name it do',
    'flag (`true`)',
  ),
  when_modified: described(
    list(text('a pattern'), LIST_LIMIT).optional(),
    'the files whose changes modify this root, instead of its [inputs](reference/inputs.md)',
    'list of patterns',
  ),
  depends_on: described(
    list(text('the name of a root'), LIST_LIMIT).optional(),
    'roots that [go before](guides/order-of-roots.md) this one when one merge modifies both',
    'list of names (none)',
  ),
  execution_order_group: described(
    z.int('a whole number').optional(),
    'roots of lower groups [go before](guides/order-of-roots.md) roots of higher ones',
    'whole number (`0`)',
  ),
  var_files: described(
    list(text('a file, relative to the directory of the root'), LIST_LIMIT).optional(),
    'given to `plan` as `-var-file`, from `dir`, and [to the commands that need them](guides/states.md#variables)',
    'list of paths (none)',
  ),
  terraform_version: EXACT_VERSION.optional(),
  distribution: DISTRIBUTION.optional(),
  plan_review: PLAN_REVIEW.optional(),
  queue: QUEUE.optional(),
  on_failure: AFTER_FAILURE.optional(),
  timeout: described(TIMEOUT.optional(), 'how long plans and applies may take'),
  hosts: HOSTS.optional(),
  workflow: workflowNamed('the name of a workflow of the server').optional(),
});

const MODES = ['auto', 'enabled', 'disabled'] as const;

export const AutodiscoverEntry = object(
  {
    mode: described(
      oneOf(MODES).optional(),
      '`auto`: only if `roots` is empty or absent; `enabled`: in addition to the declared roots',
      '`auto`, `enabled`, `disabled` (`auto`)',
    ),
    ignore: described(
      list(text('a pattern'), LIST_LIMIT).optional(),
      'directories, from the top of the repository',
      'list of patterns (none)',
    ),
  },
  // People write the mode alone.
  (input) =>
    (MODES as readonly unknown[]).includes(input) ? `write autodiscover: { mode: ${String(input)} }` : undefined,
);

/** The versions of Atlantis' format, which people write here when they move to Nereid. */
const OF_ATLANTIS: readonly unknown[] = [2, 3];

const Version = z.literal(1, {
  error: ({ input }) => {
    const other = OF_ATLANTIS.includes(input) ? ', or call the file atlantis.yaml if it is written for Atlantis' : '';
    return advised('1, the version of nereid.yaml', `write version: 1${other}`);
  },
});

/** One for each part of a company, by patterns. */
const INCLUDES_LIMIT = 20;

/** No absolute path and no "..": a link in the repository is no file of it. Two "*" in a part at most, because matching takes time. */
export const INCLUDE = list(
  text(
    'a YAML file of this repository, from its top, such as "roots/*.yaml" ("*" stands for any part of a name)',
    /^(?!(?:.*\/)?\.{1,2}(?:\/|$))(?!.*\*[^/]*\*[^/]*\*)(?!(?:.*\*\*){4})[\w.*-]+(?:\/[\w.*-]+)*\.ya?ml$/,
  ).max(500, 'at most 500 characters'),
  INCLUDES_LIMIT,
);

export const RepositoryFile = object({
  version: described(Version, 'the version of this format', '`1`, required'),
  include: described(
    INCLUDE.optional(),
    '[further files](guides/several-files.md) of this repository with roots, from its top, such as `roots/*.yaml`',
    'list of up to 20 patterns (none)',
  ),
  roots: described(list(RootEntry, ROOTS_LIMIT).optional(), 'the roots of the repository'),
  autodiscover: described(AutodiscoverEntry.optional(), 'how roots are found that are not declared'),
});
export type RepositoryFile = z.infer<typeof RepositoryFile>;
export type RootEntry = z.infer<typeof RootEntry>;
