/** The previews of a pull request, as they are stored. */
import { z } from 'zod';
import type { CheckRunRef } from '../deployment/check-run.ts';
import { checkRunParts, deploymentParts, type DeploymentRecord } from '../deployment/record.ts';
import { repositoryParts } from '../root/record.ts';
import type { Repository } from '../root/repository.ts';
import { partsOf } from '../stored.ts';

const text = z.string().min(1);

/** The previews of a pull request, as they are kept. Only control writes it. */
export interface PullRequestRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly number: number;
  readonly group?: QueuedGroup;
  /** What was looked at last; absent before the first look. */
  readonly look?: PullRequestLook;
  /** The check runs `nereid/plan` of that head, oldest first. */
  readonly checkRuns: readonly CheckRunRef[];
  /** What the last of them says; absent when none was written. */
  readonly shown?: ShownPullRequest;
  /** The last request for new plans. */
  readonly asked?: PlanRequest;
  /** Our comment; absent as long as there is none. */
  readonly comment?: KeptComment;
  /** The previews that counted when it was closed; absent while it is open. */
  readonly lastPreviews?: readonly PreviewRef[];
  /** The heads before that of the look, oldest first, at most `EARLIER_HEADS_LIMIT`. */
  readonly heads?: readonly EarlierHead[];
}

/**
 * The one comment on a pull request that is kept up to date. Creating one is not idempotent, so it is claimed first: only one
 * worker creates it, and whoever finds an old claim looks whether the comment is there.
 */
export type KeptComment =
  | { readonly state: 'claimed'; readonly claim: string; /** ISO 8601. */ readonly at: string }
  | {
      readonly state: 'written';
      readonly id: number;
      /** Of what it says. */
      readonly digest: string;
      /** The head that it is about. */
      readonly headSha: string;
      /** ISO 8601. */
      readonly at: string;
    }
  /** A person deleted it while this was the head: there is none until the next one. */
  | { readonly state: 'deleted'; readonly headSha: string };

/** A head that was looked at, before a newer one was pushed. */
export interface EarlierHead {
  readonly headSha: string;
  /** When it was looked at last. ISO 8601. */
  readonly at: string;
  /** What its check run said last; absent when none was written. */
  readonly title?: string;
  readonly conclusion?: PullRequestVerdict['conclusion'];
}

/** A group of a merge queue. */
export interface QueuedGroup {
  readonly headSha: string;
  readonly branch: string;
  /** When its checks were asked for. ISO 8601. */
  readonly requestedAt: string;
}

export interface PullRequestLook {
  readonly isOpen: boolean;
  readonly headSha: string;
  /** When the forge had changed the pull request last as it first said that this is its head: the head was there by then. ISO 8601. */
  readonly headAt?: string;
  readonly baseBranch: string;
  /** Absent when it was not needed. */
  readonly baseSha?: string;
  /** The commit that is planned; absent when there is none. */
  readonly mergedSha?: string;
  /** ISO 8601. */
  readonly at: string;
  /** The previews that count, one for each root; empty when there is a verdict. */
  readonly previews: readonly PreviewRef[];
  /** How many more roots the merge would change, too many to plan them all. */
  readonly unplanned?: number;
  /** The names of roots that the merge would remove, with their resources still there; those with previews, too. At most 100. */
  readonly removed?: readonly string[];
  /** As in `DeploymentRequest`, of the commit that is planned. */
  readonly configWarnings?: readonly string[];
  /** Why its plans stay as they were: it became a draft after they were made, or nobody has touched it for long. */
  readonly notRenewed?: 'draft' | 'idle';
  /** Stands behind the title of its check run: says so to people. */
  readonly remark?: string;
  /** The policy of the server, which the console does not have: the check run fails while plans are out of date, or may be. */
  readonly blocksStale?: true;
  /** Why nothing is planned. */
  readonly verdict?: PullRequestVerdict;
  /** The request that was carried out. */
  readonly requestId?: string;
}

export interface ShownPullRequest {
  /** Of everything in it. */
  readonly digest: string;
  /** One line; absent before it was shown. */
  readonly title?: string;
  /** The last one; absent before the first end. */
  readonly conclusion?: PullRequestVerdict['conclusion'];
  /** Whether it says why nothing is planned. The conclusion of plans stays while they are made again, and this one does not. */
  readonly isVerdict?: boolean;
}

export interface PreviewRef {
  readonly rootName: string;
  readonly deploymentId: string;
  /** Of the hosts that plan it, and keep its plan; absent for `DEFAULT_POOL`. */
  readonly pool?: string;
  /** The commit of the base that changed the root after it was planned; it is planned again once that is deployed. */
  readonly outdatedBy?: string;
  /** The newest commit of the base that it contains and that its lane had not deployed; it is planned again once that is deployed. */
  readonly ahead?: string;
  /** The merge removes the root: it has a list of what the state holds, and no plan. */
  readonly isRemoval?: true;
  /** Somebody named the root, and the merge does not deploy it. */
  readonly isNamed?: true;
  /** It replaces a plan from before the deployment of this commit. */
  readonly deployed?: string;
  /** It replaces a plan of a state that changed outside of Nereid. */
  readonly isOfNewState?: true;
}

/** The end of a look that plans nothing. */
export interface PullRequestVerdict {
  readonly conclusion: 'success' | 'failure' | 'neutral' | 'action_required';
  /** One line. */
  readonly title: string;
  /** Sentences, without markup. Hostile. */
  readonly lines: readonly string[];
}

/** Somebody who may asked for plans of this head. */
export interface PlanRequest {
  readonly requestId: string;
  readonly headSha: string;
  /** Whether the pull request modifies them or not; empty for all that it modifies. */
  readonly rootNames: readonly string[];
  /** Login on the forge. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

const previewRef = z.object({ rootName: text, deploymentId: text, pool: text.optional() });

export const pullRequestRecord = partsOf<PullRequestRecord>()(
  z.object({
    repository: repositoryParts,
    number: z.int().positive(),
    group: z.object({ headSha: text, branch: text, requestedAt: z.iso.datetime() }).optional(),
    checkRuns: z.array(checkRunParts),
    look: z
      .object({
        isOpen: z.boolean(),
        headSha: text,
        baseBranch: text,
        previews: z.array(previewRef),
        unplanned: z.int().positive().optional(),
        removed: z.array(z.string()).optional(),
        configWarnings: z.array(z.string()).optional(),
        verdict: z.object({ conclusion: text, title: text, lines: z.array(z.string()) }).optional(),
      })
      .optional(),
    asked: z.object({ requestId: text, headSha: text, rootNames: z.array(text) }).optional(),
    comment: z
      .discriminatedUnion('state', [
        z.object({ state: z.literal('claimed'), claim: text, at: z.iso.datetime() }),
        z.object({
          state: z.literal('written'),
          id: z.int().positive(),
          digest: text,
          headSha: text,
          at: z.iso.datetime(),
        }),
        z.object({ state: z.literal('deleted'), headSha: text }),
      ])
      .optional(),
    lastPreviews: z.array(previewRef).optional(),
    heads: z.array(z.object({ headSha: text, at: z.iso.datetime() })).optional(),
  }),
);

/** `endedAt` is absent before the end. */
export type PreviewRecord = Omit<DeploymentRecord, 'endedAt'> & Partial<Pick<DeploymentRecord, 'endedAt'>>;

export const previewRecord = partsOf<PreviewRecord>()(
  z.object({ repository: repositoryParts, deployment: deploymentParts, endedAt: z.iso.datetime().optional() }),
);
