/** The parts that a record must have: enough to refuse garbage. The full shape is in packages/domain. */
import { HOST_ACTIONS } from '@nereid/domain/actions';
import { DEPLOYMENT_STATUSES, ENDED_STATUSES, LOCK_KINDS, TRIGGERS } from '@nereid/domain/deployment';
import { ON_FAILURE } from '@nereid/domain/root';
import { z } from 'zod';

const text = z.string().min(1);
const status = z.enum(DEPLOYMENT_STATUSES);
const trigger = z.enum(TRIGGERS);

const repository = z.looseObject({ owner: text, name: text, installationId: z.number() });

const lock = z.looseObject({
  kind: z.enum(LOCK_KINDS),
  deploymentId: text,
  revision: text,
  by: z.string(),
  byId: z.number().optional(),
  at: text,
});

/** An envelope as it came: whoever shows it opens it. */
function signed(body: z.ZodRawShape) {
  return z.looseObject({ body: z.looseObject(body), signature: text });
}

const checkRuns = z.array(z.looseObject({ id: z.number(), completed: z.boolean() }));

const deployment = z.looseObject({
  id: text,
  requestId: text,
  root: z.looseObject({ name: text, dir: text }),
  revision: z.looseObject({ sha: text, branch: text, position: z.number() }),
  trigger,
  rerun: z.boolean(),
  force: z.boolean(),
  requestedBy: z.string(),
  receivedAt: text,
  progress: z.looseObject({ status, times: z.looseObject({}), jobs: z.looseObject({}) }),
  checkRuns,
  foundLock: lock.optional(),
  cancellation: signed({ by: z.string(), askedAt: text }).optional(),
  carrier: z.looseObject({ deploymentId: text, revision: text }).optional(),
});

export const laneRecord = z.looseObject({
  repository,
  rootName: text,
  latest: z
    .looseObject({
      deploymentId: text,
      revision: text,
      trigger,
      status,
      at: text,
      rerun: z.boolean().optional(),
      mergeBefore: text.optional(),
      branchPosition: z.number().optional(),
    })
    .optional(),
  lock: lock.optional(),
  lifted: z
    .array(lock.and(z.looseObject({ unlock: signed({ by: z.string(), askedAt: text }), liftedAt: text })))
    .optional(),
  running: deployment.optional(),
  manual: z.array(deployment),
  merged: z.array(deployment),
  ended: z.array(deployment).optional(),
  undeployed: z
    .array(
      z.looseObject({
        deploymentId: text,
        revision: z.looseObject({ sha: text, position: z.number(), title: z.string() }),
        trigger,
        rerun: z.boolean(),
        requestedBy: z.string(),
        status: z.enum(ENDED_STATUSES),
        at: text,
        reason: z.string().optional(),
      }),
    )
    .optional(),
  seen: z.looseObject({ requestIds: z.array(z.string()), merges: z.array(z.string()) }),
  judged: z.array(z.looseObject({ requestId: text, answer: z.looseObject({ kind: text }) })).optional(),
  writer: z.looseObject({ runId: text, sequence: z.number() }),
});

export const hostRecord = z.looseObject({
  hostId: text,
  pool: text.optional(),
  at: z.iso.datetime(),
  slots: z.looseObject({ total: z.number(), used: z.number() }),
  previews: z.looseObject({ total: z.number(), used: z.number() }).optional(),
  disk: z.looseObject({ freeBytes: z.number(), totalBytes: z.number() }).optional(),
  runs: z.array(text).optional(),
  draining: z.boolean(),
  startedAt: z.iso.datetime().optional(),
  release: text.optional(),
});

/** A host that was taken over writes what it likes, and operators read it. */
const ownWords = z.string().max(4_000);

export const workerDiagnosis = z.looseObject({
  hostId: text.max(100),
  roles: z.array(ownWords).max(10),
  at: z.iso.datetime(),
  tookMs: z.number().nonnegative(),
  examined: z
    .array(
      z.looseObject({
        name: ownWords,
        outcome: z.enum(['ok', 'warn', 'fail', 'skip']),
        found: ownWords,
        remedy: ownWords.optional(),
      }),
    )
    .max(100),
});

export const drainRecord = z.looseObject({
  hostId: text,
  action: z.enum(HOST_ACTIONS),
  requestId: text,
  by: text,
  byId: z.number().optional(),
  at: z.iso.datetime(),
});

const endedApply = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('applied'),
    counts: z.looseObject({ added: z.number(), changed: z.number(), destroyed: z.number(), imported: z.number() }),
  }),
  z.looseObject({
    kind: z.literal('failed'),
    failure: z.looseObject({ summary: z.string(), lines: z.array(z.string()) }),
  }),
  z.looseObject({ kind: z.literal('unknown'), why: z.string() }),
]);

export const begunApply = z.looseObject({
  hostId: text,
  jobId: text,
  at: z.iso.datetime(),
  outcome: endedApply.optional(),
  endedAt: z.iso.datetime().optional(),
  overtakenBy: text.optional(),
});

const locking = z.looseObject({
  id: text,
  revision: z.looseObject({ sha: text, branch: text }),
  trigger,
  rerun: z.boolean(),
  requestedBy: z.string(),
  requestedById: z.number().optional(),
  foundLock: lock.optional(),
  root: z.looseObject({ name: text, onFailure: z.enum(ON_FAILURE) }),
});

export const laneTurn = z.looseObject({
  rootName: text,
  last: z
    .looseObject({
      deployment: locking,
      pool: text,
      at: z.iso.datetime(),
      jobIds: z.array(text),
      lifted: z.enum(['before its end', 'after its end']).optional(),
    })
    .optional(),
  applied: locking.optional(),
  deployed: locking.optional(),
  since: text.optional(),
  unlocked: z.looseObject({ by: z.string(), byId: z.number().optional(), at: z.iso.datetime() }).optional(),
});

export const repositoryRecord = z.looseObject({
  repository,
  branch: text,
  undeployedSince: text.optional(),
  reconciledTo: text.optional(),
});

export const rollout = z.looseObject({
  id: text,
  revision: text,
  orderedAt: z.iso.datetime(),
  isRerun: z.boolean(),
  roots: z.array(
    z.looseObject({
      rootName: text,
      group: z.int(),
      dependsOn: z.array(text),
      deploymentId: text.optional(),
      of: text.optional(),
    }),
  ),
});

export const rootPlace = z.looseObject({ dir: text, workspace: text, names: z.array(text) });

export const takenDelivery = z.looseObject({ delivery: text });

export const pullRequestRecord = z.looseObject({
  repository,
  number: z.int().positive(),
  group: z.looseObject({ headSha: text, branch: text, requestedAt: z.iso.datetime() }).optional(),
  checkRuns,
  look: z
    .looseObject({
      isOpen: z.boolean(),
      headSha: text,
      baseBranch: text,
      previews: z.array(z.looseObject({ rootName: text, deploymentId: text, pool: text.optional() })),
      unplanned: z.int().positive().optional(),
      removed: z.array(z.string()).optional(),
      verdict: z.looseObject({ conclusion: text, title: text, lines: z.array(z.string()) }).optional(),
    })
    .optional(),
  asked: z.looseObject({ requestId: text, headSha: text, rootNames: z.array(text) }).optional(),
  comment: z
    .discriminatedUnion('state', [
      z.looseObject({ state: z.literal('claimed'), claim: text, at: z.iso.datetime() }),
      z.looseObject({
        state: z.literal('written'),
        id: z.int().positive(),
        digest: text,
        headSha: text,
        at: z.iso.datetime(),
      }),
      z.looseObject({ state: z.literal('deleted'), headSha: text }),
    ])
    .optional(),
  lastPreviews: z.array(z.looseObject({ rootName: text, deploymentId: text, pool: text.optional() })).optional(),
  heads: z.array(z.looseObject({ headSha: text, at: z.iso.datetime() })).optional(),
});

export const previewRecord = z.looseObject({ repository, deployment, endedAt: z.iso.datetime().optional() });

export const mergeReviewRecord = z.looseObject({
  requestId: text,
  rootName: text,
  pullRequest: z.int().positive(),
  previewId: text,
  order: text,
  digest: text,
  tree: text,
  lane: text,
  by: text,
  at: z.iso.datetime(),
  signature: text,
  usedBy: text.optional(),
});

export const seenStateRecord = z.looseObject({
  stateVersion: z.string().optional(),
  at: z.iso.datetime(),
  isOutside: z.boolean(),
});

export const deploymentRecord = z.looseObject({ repository, deployment, endedAt: z.iso.datetime() });
