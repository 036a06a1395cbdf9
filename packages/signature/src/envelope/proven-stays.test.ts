/** What is proven is proven to one process: in a message, it would be anybody's word again. So no message has it anywhere: a test of types. */
import { expect, test } from '@jest/globals';
import type {
  Answers,
  ClaimActivities,
  HostActivities,
  Question,
  ReconcileParts,
  WatchParts,
} from '@nereid/domain/activities';
import type {
  Cancel,
  ForceUnlockActivities,
  ForceUnlockHostActivities,
  WaveCheckHostActivities,
  Notice,
  ShowAgain,
  TerraformInput,
  Unlock,
} from '@nereid/domain/deployment';
import type { TerraformActivities } from '@nereid/domain/deployment-actor';
import type { Claim } from '@nereid/domain/host';
import type { IntakeActivities, IntakeInput } from '@nereid/domain/intake';
import type {
  DeploymentEnded,
  LaneActivities,
  LaneInput,
  LaneView,
  NewRevision,
  ReturnedEnd,
} from '@nereid/domain/lane';
import type { PlanReview, PolicyOverride } from '@nereid/domain/plan';
import type { PullRequestActivities } from '@nereid/domain/pull-request';
import type { Signed } from '@nereid/domain/signed';
import type { Proven } from '../index.ts';

/** What goes into activities and comes out of them. */
type Activities = [
  MessagesOf<Answers>,
  MessagesOf<ClaimActivities>,
  MessagesOf<ForceUnlockActivities>,
  MessagesOf<ForceUnlockHostActivities>,
  MessagesOf<WaveCheckHostActivities>,
  MessagesOf<HostActivities>,
  MessagesOf<IntakeActivities>,
  MessagesOf<LaneActivities>,
  MessagesOf<PullRequestActivities>,
  MessagesOf<ReconcileParts>,
  MessagesOf<TerraformActivities>,
  MessagesOf<WatchParts>,
];

type MessagesOf<Of> = {
  [Name in keyof Of]: Of[Name] extends (...args: infer Asked) => infer Answer ? [Asked, Awaited<Answer>] : never;
}[keyof Of];

/** Of signals and queries. */
type Signals = [
  ...[Signed<Cancel>, DeploymentEnded, LaneView, NewRevision, Signed<Notice>],
  ...[Signed<PlanReview>, Signed<PolicyOverride>, ShowAgain, Signed<Unlock>],
];

type Workflows = [IntakeInput, LaneInput, Question, TerraformInput, ReturnedEnd];

/** Whether it occurs in a type, at any depth that messages have. */
type HasProven<T, Depth extends readonly 0[] = []> =
  T extends Proven<unknown>
    ? true
    : T extends string | number | boolean | null | undefined
      ? false
      : Depth['length'] extends 12
        ? false
        : T extends object
          ? { [Field in keyof T]-?: HasProven<T[Field], [...Depth, 0]> }[keyof T &
              (T extends readonly unknown[] ? number : keyof T)]
          : false;

type Occurs<T> = true extends HasProven<T> ? true : false;

test('nothing that is proven crosses Temporal', () => {
  const inMessages: Occurs<Activities | Signals | Workflows> = false;
  const inSomething: Occurs<{ readonly claims: readonly [{ readonly first: Proven<Claim> }] }> = true;

  expect([inMessages, inSomething]).toEqual([false, true]);
});
