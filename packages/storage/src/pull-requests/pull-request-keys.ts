/** Where pull requests, their previews and the answers to these are kept. No other file builds these keys. */
import { defined } from '@nereid/domain/defined';
import type { PreviewSubject } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { dayOf } from '../days/day-keys.ts';

export function pullRequestKey(
  { owner, name }: Pick<Repository, 'owner' | 'name'>,
  { number, group }: PreviewSubject,
): string {
  return `pulls/${owner}/${name}/${number}${group === undefined ? '' : `@${group}`}.json`;
}

/** Only pull requests and groups by the day on which they were first heard of, or found to be open last, are below it. */
export const PULL_DAYS_PREFIX = 'pull-days/';

/** Sorts by day. */
export function pullDayKey(day: Date, repository: Pick<Repository, 'owner' | 'name'>, subject: PreviewSubject): string {
  return `${PULL_DAYS_PREFIX}${dayOf(day)}/${pullRequestKey(repository, subject)}`;
}

/** The inverse of `pullDayKey`; undefined when the key is none. */
export function parsePullDayKey(key: string): (Pick<Repository, 'owner' | 'name'> & DayOfSubject) | undefined {
  const { day, owner, name, number, group } = PULL_DAY.exec(key)?.groups ?? {};
  if (!day || !owner || !name) return undefined;
  return { day, owner, name, subject: { number: Number(number), ...defined({ group }) } };
}

interface DayOfSubject {
  readonly day: string;
  readonly subject: PreviewSubject;
}

const PULL_DAY =
  /^pull-days\/(?<day>[\d-]{10})\/pulls\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<number>\d+)(?:@(?<group>[0-9a-f]+))?\.json$/;

/** Not below `deployments/`: nothing was deployed. */
export function previewKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string, id: string): string {
  return `${PREVIEWS_PREFIX}${owner}/${name}/${rootName}/${id}.json`;
}

/** Only records of previews are below it. */
export const PREVIEWS_PREFIX = 'previews/';

/** Where the record of a preview is. */
export interface PreviewPlace extends Pick<Repository, 'owner' | 'name'> {
  readonly rootName: string;
  readonly id: string;
}

/** Only previews by the day on which they were ordered are below it. */
export const PREVIEW_DAYS_PREFIX = 'preview-days/';

/** Only previews whose plans are kept for their merge, by the day from which on they are kept, are below it. */
export const FOR_MERGE_DAYS_PREFIX = 'for-merge-days/';

type DaysPrefix = typeof PREVIEW_DAYS_PREFIX | typeof FOR_MERGE_DAYS_PREFIX;

/** Sorts by day, so that old previews come first. */
export function previewDayKey(prefix: DaysPrefix, day: Date, { owner, name, rootName, id }: PreviewPlace): string {
  return `${prefix}${dayOf(day)}/${owner}/${name}/${rootName}/${id}`;
}

/** The inverse of `previewDayKey`; undefined when the key does not belong to a preview. */
export function parsePreviewDayKey(
  prefix: DaysPrefix,
  key: string,
): (PreviewPlace & { readonly day: string }) | undefined {
  if (!key.startsWith(prefix)) return undefined;
  const parts = key.slice(prefix.length).split('/');
  const [day, owner, name, rootName, id] = parts;
  return parts.length === 5 && day && owner && name && rootName && id ? { day, owner, name, rootName, id } : undefined;
}

/** The reviews of a root's previews: `merge-reviews/<owner>/<repo>/<root>/`. */
export function mergeReviewsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `merge-reviews/${owner}/${name}/${rootName}/`;
}

/**
 * The reviews of plans of these files: empty objects, named after the preview. Not below `merge-reviews/`, where every object is
 * a review.
 */
export function mergeReviewTreePrefix(
  { owner, name }: Pick<Repository, 'owner' | 'name'>,
  { rootName, tree }: { readonly rootName: string; readonly tree: string },
): string {
  return `merge-review-trees/${owner}/${name}/${rootName}/${tree}/`;
}

export function seenStateKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `seen-states/${owner}/${name}/${rootName}.json`;
}

/** Of one root, or of all. */
export function previewedPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName?: string): string {
  return rootName === undefined ? `previewed/${owner}/${name}/` : `previewed/${owner}/${name}/${rootName}/`;
}
