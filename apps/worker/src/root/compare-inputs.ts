/** Whether two commits have the same files to one root: its inputs at both of them, whatever `when_modified` says. */
import { policyFor } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { fullName, type Repository, type Root } from '@nereid/domain/root';
import { createIsInput, DiscoveryBudgetError } from '@nereid/discovery';
import { RevisionGoneError, RevisionTooLargeError } from '@nereid/git';
import type { WorkerContext } from '../platform/context.ts';

export interface Compared {
  /** One of the inputs that differ. Hostile. */
  readonly changed?: string;
  /** Why the root may read other files, of which some differ. Hostile. */
  readonly opaque?: string;
}

export interface InputTools {
  readonly context: Pick<WorkerContext, 'mirrors' | 'discovery' | 'server'>;
  readonly signal: AbortSignal;
}

export interface TwoCommits {
  readonly before: string;
  readonly after: string;
}

/** Undefined for a repository that is no longer allowed. */
export async function compareInputs(
  { context, signal }: InputTools,
  repository: Repository,
  root: Root,
  { before, after }: TwoCommits,
): Promise<Compared | undefined> {
  const { mirrors, discovery, server } = context;
  const policy = policyFor(server.current(), fullName(repository));
  if (policy === undefined) return undefined;
  const inputsAt = async (sha: string) => {
    const tree = mirrors.tree(repository, sha, signal);
    return discovery.findInputs({ repository: fullName(repository), tree, policy, root, signal });
  };
  const [first, second, { files }] = await Promise.all([
    inputsAt(before),
    inputsAt(after),
    mirrors.changedFiles(repository, { kind: 'trees', before, after }, signal),
  ]);
  const [wasInput, isInput] = [createIsInput(first), createIsInput(second)];
  const changed = files.find((file) => wasInput(file) || isInput(file) || saysHowToCheckOut(file));
  const opaque = files.length === 0 ? undefined : (first.opaque ?? second.opaque);
  return defined({ changed, opaque });
}

/** Whether the error says that nobody can know what the root reads, however often one asks. */
export function saysUnknowable(error: unknown): boolean {
  return (
    error instanceof RevisionGoneError ||
    error instanceof RevisionTooLargeError ||
    error instanceof DiscoveryBudgetError
  );
}

/** With these, git writes the same file in another way. */
function saysHowToCheckOut(path: string): boolean {
  return /(?:^|\/)\.git(?:attributes|modules)$/.test(path);
}
