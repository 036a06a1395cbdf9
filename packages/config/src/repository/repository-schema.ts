/** The shape of `nereid.yaml` as it is written. Requirements beyond the shape are rules in repository-rules.ts. */
import { z } from 'zod';
import { advised, flag, list, object, oneOf, text } from '../yaml/schema.ts';
import {
  EXACT_VERSION,
  PLAN_REVIEW,
  POOL_NAME,
  QUEUE,
  AFTER_FAILURE,
  DISTRIBUTION,
} from '../settings/settings-schema.ts';
import { TIMEOUT } from '../settings/timeout.ts';
import { LIST_LIMIT, ROOTS_LIMIT } from './repository-limits.ts';
import { WORKSPACE, WORKSPACE_EXPECTED } from './workspace.ts';

export const RootEntry = object({
  name: text('a name').optional(),
  dir: text('the directory of the root, relative to the top of the repository'),
  workspace: text(WORKSPACE_EXPECTED, WORKSPACE).optional(),
  enabled: flag().optional(),
  when_modified: list(text('a pattern'), LIST_LIMIT).optional(),
  depends_on: list(text('the name of a root'), LIST_LIMIT).optional(),
  execution_order_group: z.int('a whole number').optional(),
  var_files: list(text('a file, relative to the directory of the root'), LIST_LIMIT).optional(),
  terraform_version: EXACT_VERSION.optional(),
  distribution: DISTRIBUTION.optional(),
  plan_review: PLAN_REVIEW.optional(),
  queue: QUEUE.optional(),
  on_failure: AFTER_FAILURE.optional(),
  timeout: TIMEOUT.optional(),
  hosts: POOL_NAME.optional(),
  workflow: text('the name of a workflow of the server').optional(),
});

const MODES = ['auto', 'enabled', 'disabled'] as const;

export const AutodiscoverEntry = object(
  {
    mode: oneOf(MODES).optional(),
    ignore: list(text('a pattern'), LIST_LIMIT).optional(),
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
  version: Version,
  include: INCLUDE.optional(),
  roots: list(RootEntry, ROOTS_LIMIT).optional(),
  autodiscover: AutodiscoverEntry.optional(),
});
export type RepositoryFile = z.infer<typeof RepositoryFile>;
export type RootEntry = z.infer<typeof RootEntry>;
