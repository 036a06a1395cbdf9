/** The world around a lane, in memory, with its own clock: each part may be slow, fail, or do its work and lose the answer. */
import { defined } from '../defined.ts';
import { isOutcomeOfHost } from '../deployment/rules/unsigned.ts';
import type { Presentation, Shown } from '../deployment/presentation.ts';
import type {
  Admission,
  Admitted,
  Comparison,
  LaneStored,
  Settled,
  Settlement,
  StoredLane,
} from '../lane/activities.ts';
import type { LaneHint } from '../lane/input.ts';
import type { LaneRecord } from '../lane/record.ts';
import { recordWith } from '../lane/rules/actor/returned.ts';
import type { DependenciesFound, DependentDeployment } from '../rollout/model.ts';
import { shaAt } from '../testing.ts';
import { TerraformsInMemory } from './terraforms-in-memory.ts';

export class WorldInMemory extends TerraformsInMemory {
  stored: StoredLane | null = null;
  /** GitHub will not show these. */
  readonly refused = new Set<string>();
  /** The first answers that were stored. */
  readonly judged = new Map<string, unknown>();
  /** As it was before the last write. */
  private storedBefore: StoredLane | null = null;

  /** Does the work after a while and answers later. Or fails, or does the work and loses the answer. */
  async<T>(work: () => T, answer: (result: T) => void, fail: (why: string) => void): void {
    const fate = this.isHealthy || this.isLikely(80) ? 'answered' : this.isLikely(50) ? 'lost' : 'failed';
    this.at(this.now + this.delay(), () => {
      const result = fate === 'failed' ? undefined : { of: work() };
      this.at(this.now + this.delay(), () => {
        if (result === undefined || fate === 'lost') fail('the world is away');
        else answer(result.of);
      });
    });
  }

  /** As the worker stores it: an earlier write of the same run does not count as another writer's. */
  store(record: LaneRecord, ifVersion: string | null): LaneStored {
    const { stored } = this;
    const isEarlier =
      stored?.record.writer.runId === record.writer.runId && stored.record.writer.sequence < record.writer.sequence;
    if (stored !== null && stored.version !== ifVersion && !isEarlier) return { kind: 'other', stored };
    this.storedBefore = stored;
    this.stored = { record, version: String(Number(stored?.version ?? 0) + 1) };
    for (const { requestId, answer } of record.judged ?? [])
      if (!this.judged.has(requestId)) this.judged.set(requestId, answer);
    return { kind: 'stored', version: this.stored.version };
  }

  /** What the sender of a message found: nothing, the record, or what was the record until somebody wrote it. */
  hint(): LaneHint | undefined {
    if (this.isLikely(40)) return undefined;
    return { stored: this.isLikely(60) ? this.stored : this.storedBefore, at: this.now };
  }

  admit({ record, ifVersion, compareWith, compareWithMerge, contains, show }: Admission): Admitted {
    const head = record.running?.revision.sha ?? '';
    const unanswered = { kind: 'unanswered', why: 'it is away' } as const;
    const isAway = () => !this.isHealthy && this.isLikely(10);
    const compared = (base: string) =>
      isAway() ? unanswered : ({ kind: 'compared', comparison: compare(base, head) } as const);
    if (!this.isHealthy && this.isLikely(10)) {
      // A gate is closed for minutes.
      const until = this.now + Math.floor(this.random() * 120_000);
      const closed = { gate: 'window', who: [], sentence: 'Closed', until } as const;
      return { stored: this.store(record, ifVersion), closed, ...defined({ shown: show && this.show([show])[0] }) };
    }
    return {
      stored: isAway() ? unanswered : this.store(record, ifVersion),
      ...(compareWith !== undefined && { comparison: compared(compareWith) }),
      ...(compareWithMerge !== undefined && { comparisonWithMerge: compared(compareWithMerge) }),
      ...(contains !== undefined && {
        contained: isAway() ? unanswered : { kind: 'listed', shas: contains.filter((sha) => sha <= head) },
      }),
      ...defined({ shown: show && this.show([show])[0] }),
    };
  }

  settle({ record, ifVersion, ended }: Settlement): LaneStored {
    const stored = this.store(record, ifVersion);
    for (const { deployment } of ended) this.keep(deployment);
    return stored;
  }

  /** As the worker does it: what GitHub does not show is stored all the same. */
  settleEnd({ record, ifVersion, ended, returned }: Settlement): Settled {
    const [end] = ended;
    if (end === undefined) throw new Error('no end was returned');
    if (!this.isHealthy && isOutcomeOfHost(end.deployment.progress) && this.isLikely(10)) return { kind: 'forged' };
    const [shown] = returned?.show === undefined ? [] : this.show([returned.show]);
    if (!this.isHealthy && this.isLikely(10)) return { kind: 'unsettled', ...defined({ shown }) };
    this.keep(end.deployment);
    const stored = this.store(recordWith(record, end.deployment.id, { shown }), ifVersion);
    return { ...stored, ...defined({ shown }) };
  }

  show(presentations: readonly Presentation[]): readonly Shown[] {
    return presentations.map((presentation): Shown => {
      const { id: deploymentId } = presentation.deployment;
      if (!this.isHealthy && this.isLikely(10)) return { kind: 'failed', deploymentId, why: 'GitHub is away' };
      if (!this.isHealthy && this.isLikely(5))
        return { kind: 'limited', deploymentId, why: 'a limit', retryAfterMs: 5_000 };
      if (!this.isHealthy && this.isLikely(2)) return this.refuse(deploymentId);
      return { kind: 'shown', deploymentId, checkRuns: this.github.write(presentation) };
    });
  }

  /** Undefined while nothing is news. */
  look(dependents: readonly DependentDeployment[]): readonly DependenciesFound[] | undefined {
    const found = dependents.map(({ rollout }) => this.dependencyOf(rollout));
    const isNews = found.some((one, index) => one.kind !== 'waiting' || one.clause !== dependents[index]?.shown);
    return isNews ? found : undefined;
  }

  private refuse(deploymentId: string): Shown {
    this.refused.add(deploymentId);
    return { kind: 'refused', deploymentId, why: 'a field is too long' };
  }
}

/** Commits beyond the hundredth are on branches of their own. */
const BRANCHES = shaAt(100);

function compare(base: string, head: string): Comparison {
  if (base >= BRANCHES || head >= BRANCHES) return 'diverged';
  if (base === head) return 'identical';
  return base < head ? 'ahead' : 'behind';
}
