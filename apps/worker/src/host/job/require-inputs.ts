/**
 * Nothing is planned with less than Terraform would find where the repository is checked out by hand: a pointer of Git LFS, or an
 * empty folder of a submodule, would be deployed as if it were the content.
 */
import { policyFor } from '@nereid/config';
import { createIsInput } from '@nereid/discovery';
import { fullName, type HostJob } from '@nereid/contracts';
import { ContentAbsentError, type AbsentContent, type CheckOut } from '@nereid/git';
import type { HostTools } from './tools.ts';

/** Throws a `ContentAbsentError` for contents that the root may read and that its tree lacks. */
export async function requireInputs(
  tools: Pick<HostTools, 'context'>,
  job: HostJob,
  { authorization, signal }: Pick<CheckOut, 'authorization' | 'signal'>,
): Promise<void> {
  const { repository, revision } = job;
  const wanted = { repository, sha: revision.sha, ...(authorization && { authorization }) };
  const absent = await tools.context.mirrors.absentContents(wanted, signal);
  const inputs = absent.length === 0 ? [] : await amongInputs(tools, job, absent, signal);
  const submodules = inputs.filter(({ kind }) => kind === 'submodule');
  if (submodules.length > 0) throw new ContentAbsentError(named('submodule', submodules), INSTEAD_OF_SUBMODULE);
  if (inputs.length > 0) throw new ContentAbsentError(named('file in Git LFS', inputs), INSTEAD_OF_LFS);
}

const INSTEAD_OF_SUBMODULE =
  'submodules are not fetched: commit its files, or name the repository as the source of a module, with a ref';
const INSTEAD_OF_LFS = 'files of Git LFS are not fetched: commit them as they are, or have Terraform fetch them';

/** Where it cannot be known what the root reads, it may read any of them. */
async function amongInputs(
  { context }: Pick<HostTools, 'context'>,
  { repository, revision, root }: HostJob,
  absent: readonly AbsentContent[],
  signal: AbortSignal | undefined,
): Promise<readonly AbsentContent[]> {
  const policy = policyFor(context.server.current(), fullName(repository));
  if (policy === undefined) return absent;
  const tree = context.mirrors.tree(repository, revision.sha, signal);
  const inputs = await context.discovery.findInputs({ repository: fullName(repository), tree, policy, root, signal });
  if (inputs.opaque !== undefined) return absent;
  const isInput = createIsInput(inputs);
  return absent.filter(({ path }) => isInput(path));
}

/** On a check run, where one says where to look. */
const NAMES_SHOWN = 3;

function named(kind: string, contents: readonly AbsentContent[]): string {
  const names = contents.slice(0, NAMES_SHOWN).map(({ path }) => JSON.stringify(path.slice(0, 100)));
  const more = contents.length > NAMES_SHOWN ? ` and ${contents.length - NAMES_SHOWN} more` : '';
  return `the ${kind}${contents.length > 1 ? 's' : ''} ${names.join(', ')}${more}`;
}
