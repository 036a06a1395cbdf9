/** GitHub's check runs in memory: what is written lasts, whoever hears of it. */
import type { CheckRunRef } from '../deployment/check-run.ts';
import type { Presentation } from '../deployment/presentation.ts';
import { hasEnded } from '../deployment/status.ts';
import { appearance, createsCheckRun } from '../lane/rules/check-runs/presentations.ts';

interface WrittenCheckRun extends CheckRunRef {
  /** Digest of what it says. */
  readonly says: string;
}

export class GitHubInMemory {
  private lastId = 0;
  private readonly written = new Map<string, readonly WrittenCheckRun[]>();

  /** What people see of a deployment. */
  newest(deploymentId: string): WrittenCheckRun | undefined {
    return this.written.get(deploymentId)?.at(-1);
  }

  /** As `showCheckRuns` of the worker does it for one. */
  write(presentation: Presentation): readonly CheckRunRef[] {
    const { deployment, lock, creationUncertain } = presentation;
    const all = this.written.get(deployment.id) ?? [];
    const known =
      creationUncertain === true ? all : all.filter(({ id }) => deployment.checkRuns.some((ref) => ref.id === id));
    const checkRuns = known.map((one) => ({ ...one, ...deployment.checkRuns.find((ref) => ref.id === one.id) }));
    const { status } = deployment.progress;
    const completed = hasEnded(status) || status === 'awaiting-review' || lock !== undefined;
    const isNew = createsCheckRun({ ...presentation, deployment: { ...deployment, checkRuns } });
    const last = isNew ? (this.lastId += 1) : (checkRuns.at(-1)?.id ?? 0);
    const older = checkRuns.filter(({ id }) => id !== last).map((one) => ({ ...one, superseded: true as const }));
    const mine = [...older, { id: last, completed, says: appearance(presentation) }];
    const others = all.filter(({ id }) => !mine.some((own) => own.id === id));
    this.written.set(
      deployment.id,
      [...others, ...mine].toSorted((one, other) => one.id - other.id),
    );
    return mine.map(({ says: _says, ...ref }) => ref);
  }
}
