/**
 * The previews of the same head that stay. What the newer base changes is out of date, and is planned again once that was deployed:
 * until then, nobody knows the state that the plan would be made for.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { PreviewRef, PullRequestLook, PullRequestRecord } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { RevisionGoneError } from '@nereid/git';
import { discoverIn } from '../../root/discover.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';
import { waitsForLane, type Renewals } from './renewals.ts';

/** A merge takes milliseconds; a tree that takes longer was made for that. */
export const MERGE_MS = 2 * 60_000;

export interface Keeping {
  readonly policy: RepositoryPolicy;
  readonly record: PullRequestRecord;
  readonly last: PullRequestLook;
  readonly stale: Renewals;
  /** The newer merge, and the base that it was made with. */
  readonly merged: string;
  readonly baseSha: string;
  /** Whether somebody asked for new plans since. */
  readonly isAsked: boolean;
}

export async function keptPreviews(
  tools: RevisionTools,
  repository: Repository,
  keeping: Keeping,
): Promise<readonly PreviewRef[]> {
  const { policy, last, merged, baseSha } = keeping;
  const stays = staying(keeping);
  if (last.mergedSha === undefined || stays.length === 0 || last.mergedSha === merged) return stays;
  // A mirror that was replaced, or another worker's, lacks it.
  if (last.baseSha !== undefined && !(await isMergedAgain(tools, repository, last.baseSha, last.headSha))) return [];
  const range = { kind: 'trees', before: last.mergedSha, after: merged } as const;
  const found = await discoverIn(tools, { repository, policy, range });
  if (found.kind === 'problems') return [];
  const changed = new Set(found.modified.map(({ root }) => root.name));
  return stays.map((preview) => (changed.has(preview.rootName) ? { ...preview, outdatedBy: baseSha } : preview));
}

/** Whether a look at the same commits would say something else of its plans. */
export function marksAny(stale: Renewals, { previews }: PullRequestLook): boolean {
  return stale.renewed.size > 0 || previews.some((preview) => marked(preview, stale) !== preview);
}

/** What it said before stays. The same object when nothing is new. */
function marked(preview: PreviewRef, { waiting, ahead }: Renewals): PreviewRef {
  if (waitsForLane(preview)) {
    const outdatedBy = preview.outdatedBy ?? waiting.get(preview.rootName);
    return outdatedBy === preview.outdatedBy || outdatedBy === undefined ? preview : { ...preview, outdatedBy };
  }
  const [outdatedBy, contains] = [waiting.get(preview.rootName), ahead.get(preview.rootName)];
  if (outdatedBy !== undefined) return { ...preview, outdatedBy };
  return contains === undefined ? preview : { ...preview, ahead: contains };
}

function staying({ record, last, stale, isAsked }: Keeping): readonly PreviewRef[] {
  if (last.mergedSha === undefined) return [];
  const wanted = record.asked?.rootNames ?? [];
  const isAgain = (rootName: string) =>
    stale.renewed.has(rootName) || (isAsked && (wanted.length === 0 || wanted.includes(rootName)));
  return last.previews.filter(({ rootName }) => !isAgain(rootName)).map((preview) => marked(preview, stale));
}

/** False when the older base is gone after a force push, or merging it takes too long: then everything is planned again. */
async function isMergedAgain(
  { context, signal }: RevisionTools,
  repository: Repository,
  base: string,
  head: string,
): Promise<boolean> {
  const limit = AbortSignal.timeout(MERGE_MS);
  try {
    await context.mirrors.merge(repository, { base, head }, AbortSignal.any([signal, limit]));
    return true;
  } catch (error) {
    if (error instanceof RevisionGoneError || (limit.aborted && !signal.aborted)) return false;
    throw error;
  }
}
