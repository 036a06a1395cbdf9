import type { Root } from '../../root/model.ts';
import type { Deployment } from '../model.ts';
import type { TerraformDurations } from '../terraform-workflow.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** People are told of an end first, as long as the forge takes it within this time: then the records have all its check runs. */
export const SHOWN_FIRST_MS = 10 * SECOND_MS;

/** 30 minutes to prepare, 5 to keep the plan, and 5 to let the runner's own limit come first. */
const AROUND_PLAN_MS = 40 * MINUTE_MS;

/** Lets the runner's own limit come first. */
const AROUND_APPLY_MS = 5 * MINUTE_MS;

/**
 * A pull request's own check run says at once that its roots are planned. A preview's would be a second write for each of them, and
 * most of them wait for a host and are planned within this time.
 */
const PREVIEW = { quietMs: 10 * SECOND_MS } as const;

/**
 * In a merge of many roots, one check run says how all of them stand. Most applies of small roots are done within five seconds, even
 * beside so many others. Most roots wait for minutes because others go first; to ask and to tell why are twenty events for each.
 */
const OF_MANY = { quietMs: 5 * SECOND_MS, claimRefreshMs: 5 * MINUTE_MS } as const;

export function durationsOf(
  { root: { timeoutMs, review }, trigger, together }: Pick<Deployment, 'root' | 'trigger' | 'together'>,
  own: Partial<TerraformDurations> = {},
): TerraformDurations {
  const planMs = AROUND_PLAN_MS + timeoutMs.plan;
  const applyMs = AROUND_APPLY_MS + timeoutMs.apply;
  const quieter = trigger === 'preview' ? PREVIEW : together?.isLarge === true && OF_MANY;
  return { ...usual, planMs, applyMs, reviewMs: reviewMsOf({ review }), ...quieter, ...own };
}

/** Longer than a long weekend and shorter than anybody remembers what they merged. */
const USUAL_REVIEW_MS = 7 * 24 * 60 * MINUTE_MS;

/** How long a plan of the root waits for its review. */
export function reviewMsOf({ review }: { readonly review?: Root['review'] | undefined }): number {
  return review?.expiresMs ?? USUAL_REVIEW_MS;
}

const usual: Omit<TerraformDurations, 'planMs' | 'applyMs' | 'reviewMs'> = {
  /** A claim for an apply only asks for a free slot. */
  claimMs: 10 * SECOND_MS,
  /** Most claims are answered by then, and a person who waits is told soon enough. */
  claimShownAfterMs: 10 * SECOND_MS,
  /** The first pause; the next ones are longer. By then, most plans are made. Five thousand that wait ask 80 times a second, and thrice in the end. */
  claimRefreshMs: MINUTE_MS,
  /** A host's own queue runs more activities than the host has slots, so this long means dead, never busy. */
  hostScheduleToStartMs: 30 * SECOND_MS,
  /** The host that planned has the tree at hand; any other can restore the kept plan. */
  sameHostMs: 30 * SECOND_MS,
  /** A host that planned this recently is assumed to be there, without a check. */
  hostKnownMs: MINUTE_MS,
  /** Hosts send one every 15 s: four missed in a row is a dead host. */
  heartbeatMs: MINUTE_MS,
  /** Most applies of small roots are done within a second: their "applying" would be a request that nobody sees. */
  quietMs: SECOND_MS,
  /** Long enough for a restart of the forge, a store or all hosts. A person waits, and can press Re-run afterwards. */
  patienceMs: 10 * MINUTE_MS,
  pauseMs: SECOND_MS,
  /** A machine restarts in less time, and a person who waits can cancel. */
  comeBackMs: 10 * MINUTE_MS,
  tellFirstMs: SHOWN_FIRST_MS,
  auditMs: 5 * MINUTE_MS,
  /** After that, who approved is shown while the audit trail is waited for. */
  promptMs: 5 * SECOND_MS,
  cleanUpMs: 2 * MINUTE_MS,
};

/** When this many hosts were lost during the same plan, or refused it as forged, or made one that nobody signed, more attempts are of no use. */
export const HOSTS_TRIED = 3;

/** Often enough for a reason that changes all the time. At 20 events each, a week of it stays below 7,000 events. */
export const LONGEST_SHOWN_MS = 30 * MINUTE_MS;

/** Soon enough after a service is back. */
export const LONGEST_PAUSE_MS = 30 * SECOND_MS;
