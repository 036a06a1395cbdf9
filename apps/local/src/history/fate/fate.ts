/** What becomes of one deployment, from its start to its end. Pure: the same chance gives the same end. */
import { createHash } from 'node:crypto';
import { planTextDigest } from '@nereid/storage';
import type { AppliedCounts, DeploymentStatus, EndedStatus, Progress } from '@nereid/domain/deployment';
import type { Failure, Job } from '@nereid/domain/host';
import type { Plan } from '@nereid/domain/plan';
import type { Random } from '../../random.ts';
import type { DeployedRoot } from '../../stack/own-states.ts';
import { summaryOf, type Edit } from '../edit.ts';
import { isLate, MINUTE_MS, nextMorning } from '../moments.ts';
import { planText } from '../terraform-text.ts';
import { WRITERS, type Writer } from '../made-up-repositories.ts';
import { uuid } from '../uuid.ts';

export type Fate = Extract<
  EndedStatus,
  'succeeded' | 'rejected' | 'plan-failed' | 'apply-failed' | 'apply-outcome-unknown'
>;

export interface Beginning {
  readonly root: DeployedRoot;
  readonly edits: readonly Edit[];
  /** A person reviews it, whatever the root says. */
  readonly isByHand: boolean;
  readonly author: Writer;
  readonly startMs: number;
  readonly fate: Fate;
  readonly failure: Failure;
  readonly hostId: string;
  /** Nobody takes longer than until then. */
  readonly lastMs: number;
}

export interface Ended {
  readonly status: EndedStatus;
  readonly progress: Progress;
  readonly endedMs: number;
  /** Of the plan's file, as its text is kept. */
  readonly text: string | undefined;
}

const SECOND_MS = 1_000;

export function liveOut(random: Random, beginning: Beginning): Ended {
  const { root, edits, isByHand, startMs, fate, failure, hostId } = beginning;
  const times: Partial<Record<DeploymentStatus, string>> = { preparing: iso(startMs) };
  const planningMs = startMs + SECOND_MS + random.integer(2 * SECOND_MS);
  const plannedMs = planningMs + 5 * SECOND_MS + random.integer(70 * SECOND_MS);
  times.planning = iso(planningMs);
  const planJob = jobOf(random, planningMs, plannedMs);
  const end = (status: EndedStatus, atMs: number, more: Partial<Progress> = {}): Ended => ({
    status,
    progress: { status, times: { ...times, [status]: iso(atMs) }, hostId, jobs: { plan: planJob }, ...more },
    endedMs: atMs,
    text,
  });

  const text = fate === 'plan-failed' ? undefined : planText(edits);
  if (fate === 'plan-failed') return end(fate, plannedMs, { failure: { body: failure } });
  const plan = planOf(random, beginning, text, plannedMs);
  if (text === undefined) return end('no-changes', plannedMs, { plan });

  const isReviewed = isByHand || root.planReview === 'required';
  const answeredMs = isReviewed ? answerTime(random, beginning, plannedMs) : plannedMs + SECOND_MS;
  if (isReviewed) times['awaiting-review'] = iso(plannedMs);
  const by = reviewerOf(random, beginning.author);
  if (fate === 'rejected')
    return end(fate, answeredMs, { plan, review: { answer: 'rejected', by, at: iso(answeredMs) } });

  const applyingMs = answeredMs + SECOND_MS;
  times.applying = iso(applyingMs);
  const endedMs = applyingMs + (fate === 'apply-outcome-unknown' ? LOST_MS : applyMs(random));
  const apply = jobOf(random, applyingMs, endedMs);
  const review = isReviewed ? { review: { answer: 'approved', by, at: iso(answeredMs) } as const } : {};
  const applied = { plan, ...review, jobs: { plan: planJob, apply } };
  switch (fate) {
    case 'succeeded':
      return end(fate, endedMs, { ...applied, applied: countsOf(edits) });
    case 'apply-failed':
      return end(fate, endedMs, { ...applied, failure: { body: failure } });
    case 'apply-outcome-unknown':
      return end(fate, endedMs, { ...applied, reason: lostOn(hostId) });
  }
}

/** So long a worker that was lost may take to come back. */
const LOST_MS = 60 * MINUTE_MS;

/** The longest apply, and what comes before it. */
const APPLY_MS = 4 * MINUTE_MS;
export const LONGEST_MS = APPLY_MS + 2 * MINUTE_MS;

function applyMs(random: Random): number {
  return 8 * SECOND_MS + random.integer(random.chance(0.8) ? MINUTE_MS : APPLY_MS - 10 * SECOND_MS);
}

/** Most plans are answered soon; some wait over lunch, and what comes late waits until the next morning. */
function answerTime(random: Random, { lastMs }: Beginning, plannedMs: number): number {
  const minutes = random.chance(0.65) ? 1 + random.integer(14) : 15 + random.integer(110);
  const soon = plannedMs + minutes * MINUTE_MS + random.integer(MINUTE_MS);
  const at = isLate(plannedMs) && random.chance(0.6) ? nextMorning(random, plannedMs) : soon;
  return Math.max(plannedMs + SECOND_MS, Math.min(at, lastMs - APPLY_MS));
}

/** A colleague, more often than not. */
function reviewerOf(random: Random, author: Writer): Writer {
  const by = random.pick(WRITERS);
  return by === author ? random.pick(WRITERS) : by;
}

function planOf(
  random: Random,
  { root, edits, isByHand }: Beginning,
  text: string | undefined,
  plannedMs: number,
): Plan {
  const reviewRequired = text !== undefined && (isByHand || root.planReview === 'required');
  const body = {
    ...NOBODYS,
    digest: createHash('sha256').update(uuid(random)).digest('hex'),
    hasChanges: text !== undefined,
    summary: summaryOf(edits),
    ...(text !== undefined && { textDigest: planTextDigest({ text, leftOut: 0, isShortened: false }) }),
  };
  return {
    made: { body, signature: 'made-up' },
    reviewRequired,
    ...(reviewRequired && { expiresAt: iso(plannedMs + REVIEW_MS) }),
  };
}

/** Nobody opens what was made up. */
const NOBODYS = { version: 1, deploymentId: 'made-up', order: 'made-up' } as const;

/** A review ends after seven days. */
const REVIEW_MS = 7 * 24 * 60 * MINUTE_MS;

export function countsOf(edits: readonly Edit[]): AppliedCounts {
  const { create, update, replace, delete: removed } = summaryOf(edits);
  return { added: create + replace, changed: update, destroyed: removed + replace, imported: 0 };
}

function lostOn(hostId: string): string {
  return `The apply began on host ${hostId}, whose worker was lost; it did not come back within an hour. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`;
}

function jobOf(random: Random, startedMs: number, endedMs: number): Job {
  return { id: uuid(random), startedAt: iso(startedMs), endedAt: iso(endedMs) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
