/** The keys of `atlantis.yaml`: those that are read, and those without a counterpart here, with what takes their place. */

export const FILE_KEYS = ['version', 'projects', 'autodiscover'] as const;

export const PROJECT_KEYS = [
  'name',
  'dir',
  'workspace',
  'terraform_version',
  'terraform_distribution',
  'autoplan',
  'workflow',
  'depends_on',
  'execution_order_group',
] as const;

export const AUTOPLAN_KEYS = ['enabled', 'when_modified'] as const;

export const AUTODISCOVER_KEYS = ['mode', 'ignore_paths'] as const;

// What takes their place: sentences for people.

const IN_TURN = 'this is always so: roots do not start when one that goes before them failed';
const MERGED_ON_GITHUB = 'GitHub deletes the branches of merged pull requests if the settings of the repository say so';
const QUEUED = 'each root has a queue, which takes the place of locks';
const QUIET = "pull_request_comment of the server's file says when plans are written in a comment";
const REQUIRED = "GitHub's branch rules decide what is merged, and merges are deployed";
const SIDE_BY_SIDE = 'roots run side by side, as many as the hosts have slots';
const UNCHECKED =
  "the policies of the server's file judge every plan of the roots that it names, whatever a repository says";

/** Beside those that are read. */
export const FILE_KEYS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['abort_on_execution_order_fail', IN_TURN],
  ['allowed_regexp_prefixes', 'commands take the names of roots, and no patterns'],
  ['automerge', 'Nereid deploys what was merged, and merges nothing; GitHub has auto-merge'],
  ['delete_source_branch_on_merge', MERGED_ON_GITHUB],
  ['emoji_reaction', 'commands get answers, and no reactions'],
  ['parallel_apply', SIDE_BY_SIDE],
  ['parallel_plan', SIDE_BY_SIDE],
  ['policies', UNCHECKED],
  ['repo_locks', QUEUED],
  ['silence_pr_comments', QUIET],
  ['workflows', "workflows stand in the server's file, and projects name them"],
]);

/** Of a project, beside those that are read. */
export const PROJECT_KEYS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['apply_requirements', REQUIRED],
  ['branch', "the server's file says which branch is deployed"],
  ['custom_policy_check', UNCHECKED],
  ['delete_source_branch_on_merge', MERGED_ON_GITHUB],
  ['glob_file_match', 'dir names one directory; write a project for each'],
  ['import_requirements', 'there is no import command; import blocks are planned and reviewed like every change'],
  ['plan_requirements', 'every merge is planned'],
  ['policy_check', UNCHECKED],
  ['repo_locking', QUEUED],
  ['repo_locks', QUEUED],
  ['silence_pr_comments', QUIET],
]);
