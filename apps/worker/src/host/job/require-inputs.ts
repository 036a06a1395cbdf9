/**
 * Nothing is planned or applied with less than Terraform would find where the repository is checked out by hand: a pointer of Git
 * LFS, an empty folder of a submodule, or encrypted bytes would be deployed as if it were the content. Nobody
 * knows what a root that may read any file finds: contents in its reach count, because all of the repository would refuse it for ever.
 */
import { policyFor, type RepositoryPolicy } from '@nereid/config';
import { createIsInReach, DiscoveryBudgetError } from '@nereid/discovery';
import { fullName } from '@nereid/domain/root';
import {
  ContentAbsentError,
  findEncrypted,
  RevisionTooLargeError,
  type AbsentContent,
  type Authorization,
  type FilledFile,
} from '@nereid/git';
import { treeLimit } from './check-out.ts';
import type { HostTools } from './tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

export interface CheckedOut {
  readonly treeDir: string;
  readonly authorization: Authorization;
  readonly signal: AbortSignal;
}

/** Fetches what the server's file allows, and returns it. Throws a `ContentAbsentError` for contents that the root may read and that its tree lacks. */
export async function requireInputs(
  tools: Pick<HostTools, 'context'>,
  job: OpenedJob,
  { treeDir, authorization, signal }: CheckedOut,
): Promise<readonly FilledFile[]> {
  const { mirrors, server } = tools.context;
  const { repository, revision } = job;
  const wanted = { repository, sha: revision.sha, authorization };
  const files = await mirrors.listFiles(repository, revision.sha, signal);
  const absent = [...(await mirrors.absentContents(wanted, signal)), ...(await findEncrypted(treeDir, files))];
  if (absent.length === 0) return [];
  const policy = policyFor(server.current(), fullName(repository));
  const inputs = policy === undefined ? absent : await amongInputs(tools, job, { absent, policy, signal });
  const submodules = inputs.filter(({ kind }) => kind === 'submodule');
  if (submodules.length > 0) throw new ContentAbsentError(named('submodule', submodules), INSTEAD_OF_SUBMODULE);
  const encrypted = inputs.filter(({ kind }) => kind === 'encrypted');
  if (encrypted.length > 0 && !mayDecrypt(job.root))
    throw new ContentAbsentError(named('encrypted file', encrypted), INSTEAD_OF_ENCRYPTED);
  const contents = inputs.filter((content) => content.kind === 'lfs');
  if (contents.length === 0) return [];
  if (!policy?.lfs) throw new ContentAbsentError(named('file in Git LFS', contents), INSTEAD_OF_LFS);
  return mirrors.fetchLfs({ ...wanted, tree: treeDir, contents, limit: treeLimit(tools), signal });
}

const INSTEAD_OF_SUBMODULE =
  'submodules are not fetched: commit its files, or name the repository as the source of a module, with a ref';
const INSTEAD_OF_LFS =
  "have the operators set lfs: true for this repository in the server's file, or commit the files as they are";

const INSTEAD_OF_ENCRYPTED =
  'hosts have no key for it: keep its content as a secret of this root, or have a step of its workflow decrypt it';

/** Whoever gave the root a command knows what it is for. */
function mayDecrypt({ steps }: OpenedJob['root']): boolean {
  return steps.plan.some(({ kind }) => kind === 'run');
}

interface Candidates {
  readonly absent: readonly AbsentContent[];
  readonly policy: RepositoryPolicy;
  readonly signal: AbortSignal;
}

/** Where it takes too much to find what the root reads, it may read any of them. */
async function amongInputs(
  { context }: Pick<HostTools, 'context'>,
  { repository, revision, root }: OpenedJob,
  { absent, policy, signal }: Candidates,
): Promise<readonly AbsentContent[]> {
  const tree = context.mirrors.tree(repository, revision.sha, signal);
  try {
    const inputs = await context.discovery.findInputs({ repository: fullName(repository), tree, policy, root, signal });
    const isInReach = createIsInReach(inputs);
    return absent.filter(({ path }) => isInReach(path));
  } catch (error) {
    if (error instanceof DiscoveryBudgetError || error instanceof RevisionTooLargeError) return absent;
    throw error;
  }
}

/** On a check run, where one says where to look. */
const NAMES_SHOWN = 3;

function named(kind: string, contents: readonly AbsentContent[]): string {
  const names = contents.slice(0, NAMES_SHOWN).map(({ path }) => JSON.stringify(path.slice(0, 100)));
  const more = contents.length > NAMES_SHOWN ? ` and ${contents.length - NAMES_SHOWN} more` : '';
  return `the ${kind}${contents.length > 1 ? 's' : ''} ${names.join(', ')}${more}`;
}
