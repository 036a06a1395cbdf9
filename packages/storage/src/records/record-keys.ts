/** Where records are kept. No other file builds these keys. */
import { createHash } from 'node:crypto';
import { defined } from '@nereid/domain/defined';
import type { PreviewSubject } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { dayOf, timeInKey } from '../days/day-keys.ts';

/** An id is `<sha>/<source>`. */
export function rolloutKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `${ROLLOUTS_PREFIX}${owner}/${name}/${id}.json`;
}

/** Those of one revision. */
export function rolloutsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, sha: string): string {
  return `${ROLLOUTS_PREFIX}${owner}/${name}/${sha}/`;
}

/** Only rollouts are below it, without the ends of their roots. */
export const ROLLOUTS_PREFIX = 'rollouts/';

/** The inverse of `rolloutKey`; undefined when the key is not the key of a rollout. */
export function parseRolloutKey(key: string): { owner: string; name: string; id: string } | undefined {
  const match = /^rollouts\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<id>[^/]+\/[^/]+)\.json$/.exec(key);
  const { owner, name, id } = match?.groups ?? {};
  return owner && name && id ? { owner, name, id } : undefined;
}

export function rolloutEndsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-ends/${owner}/${name}/${id}/`;
}

export function rolloutEndKey(
  repository: Pick<Repository, 'owner' | 'name'>,
  id: string,
  rootName: string,
  how: string,
): string {
  return `${rolloutEndsPrefix(repository, id)}${rootName}/${how}`;
}

/** The waves of a rollout that somebody skipped. */
export function rolloutSkipsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-skips/${owner}/${name}/${id}/`;
}

export function rolloutSkipKey(repository: Pick<Repository, 'owner' | 'name'>, id: string, wave: number): string {
  return `${rolloutSkipsPrefix(repository, id)}${wave}.json`;
}

/** The results of the checks of its waves. */
export function rolloutChecksPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-checks/${owner}/${name}/${id}/`;
}

export function rolloutChecksKey(repository: Pick<Repository, 'owner' | 'name'>, id: string, wave: number): string {
  return `${rolloutChecksPrefix(repository, id)}${wave}.json`;
}

/** Only rollouts whose checks are asked are below it. */
export const CHECKED_ROLLOUTS_PREFIX = 'checked-rollouts/';

export function checkedRolloutKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `${CHECKED_ROLLOUTS_PREFIX}${owner}/${name}/${id}.json`;
}

/** Only records of ended deployments are below it. */
export const DEPLOYMENTS_PREFIX = 'deployments/';

/** `deployments/<owner>/<repo>/<root>/`: the ended deployments of one lane. */
export function deploymentsPrefix(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${DEPLOYMENTS_PREFIX}${repository.owner}/${repository.name}/${rootName}/`;
}

export function laneKey(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${LANES_PREFIX}${repository.owner}/${repository.name}/${rootName}.json`;
}

/** Only lanes are below it, so listing lanes lists nothing else. */
export const LANES_PREFIX = 'lanes/';

/** The inverse of `laneKey`; undefined when the key does not belong to a lane. */
export function parseLaneKey(key: string): { owner: string; name: string; rootName: string } | undefined {
  const match = /^lanes\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<rootName>[^/]+)\.json$/.exec(key);
  const { owner, name, rootName } = match?.groups ?? {};
  return owner && name && rootName ? { owner, name, rootName } : undefined;
}

/** Not below `deployments/`, where every name below a repository belongs to a root. */
export function repositoryKey(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `repositories/${repository.owner}/${repository.name}.json`;
}

/** Where the state of a root is kept, as far as its name does not tell: two names of one place deploy the same. */
export interface RootPlaceId {
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** The real directory, relative to the repository's top. */
  readonly dir: string;
  readonly workspace: string;
}

export function rootPlaceKey({ repository: { owner, name }, dir, workspace }: RootPlaceId): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([dir, workspace]))
    .digest('hex');
  return `places/${owner}/${name}/${digest.slice(0, 32)}.json`;
}

/** Not below `lanes/`, whose records the lanes themselves have written. */
export function laneTurnKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${TURNS_PREFIX}${owner}/${name}/${rootName}.json`;
}

/** Only turns are below it. */
export const TURNS_PREFIX = 'turns/';

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

/** The id of the deployment in the key of a preview or of a marker. */
export function deploymentIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, '');
}

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

export const HOSTS_PREFIX = 'hosts/';

export function hostKey(hostId: string): string {
  return `${HOSTS_PREFIX}${hostId}.json`;
}

/** Not below `doctor/`: hosts read there, and may not read this. */
export const DIAGNOSES_PREFIX = 'diagnoses/';

export function diagnosisKey(hostId: string): string {
  return `${DIAGNOSES_PREFIX}${hostId}.json`;
}

/** `reminders/<owner>/<repo>/<root>.json`: one small object for each lane whose reviewers were ever reminded. */
export function remindersKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `reminders/${owner}/${name}/${rootName}.json`;
}

export const STOPS_PREFIX = 'stops/';

export function stopsKey({ owner, name }: Pick<Repository, 'owner' | 'name'>): string {
  return `${STOPS_PREFIX}${owner}/${name}.json`;
}

export function budgetKey(name: string): string {
  return `budgets/${name}.json`;
}

export const DRAINS_PREFIX = 'drains/';

/** Not below `hosts/`: hosts write there, and may not write this. */
export function drainKey(hostId: string): string {
  return `${DRAINS_PREFIX}${hostId}.json`;
}

export function ownNamespaceKey(id: string): string {
  return `namespaces/${id}`;
}

/** Below its pool, so that credentials of hosts may write those of their own pool alone. */
export function begunKey(pool: string, deploymentId: string): string {
  return `${BEGUN_PREFIX}${pool}/${deploymentId}`;
}

/** Only markers of applies are below it. */
export const BEGUN_PREFIX = 'begun/';

/** The part of a webhook's body. */
export interface WebhookBody {
  /** SHA-256, 64 hex digits. */
  readonly digest: string;
  /**
   * When it happened, as the body itself says: the same for the same body. Undefined when the body does not say: then its mark
   * stays for good, because the body can come again as a new one at any time.
   */
  readonly at: Date | undefined;
}

/** Only marks of taken webhooks are below it. */
export const TAKEN_PREFIX = 'taken/';

/** Sorts by day, so that old marks come first, and those that stay come last. */
export function takenKey({ digest, at }: WebhookBody): string {
  return `${TAKEN_PREFIX}${at === undefined ? 'undated' : dayOf(at)}/${digest}`;
}

/** Sorts by time: `<ended at>-<id>.json`. The time is in ISO 8601's basic form, because no key contains `:`. */
export function deploymentKey(lane: string, endedAt: string, id: string): string {
  return `${lane}${timeInKey(new Date(endedAt))}-${id}.json`;
}

/** The inverse of `deploymentKey`; undefined when the key does not belong to a deployment of this lane. */
export function parseDeploymentKey(lane: string, key: string): { endedAt: string; id: string } | undefined {
  if (!key.startsWith(lane)) return undefined;
  const { date, time, ms, id } = DEPLOYMENT.exec(key.slice(lane.length))?.groups ?? {};
  if (!date || !time || !ms || !id) return undefined;
  const [day, clock] = [date.replace(/(....)(..)(..)/, '$1-$2-$3'), time.replace(/(..)(..)(..)/, '$1:$2:$3')];
  return { endedAt: `${day}T${clock}.${ms}Z`, id };
}

const DEPLOYMENT = /^(?<date>\d{8})T(?<time>\d{6})(?<ms>\d{3})Z-(?<id>.+)\.json$/;
