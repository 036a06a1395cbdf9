/** The terraform workflows of a lane, in memory. Each shows its deployment, and returns its end or tells the lane of it. */
import type { Unlock } from '../deployment/lock.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Progress } from '../deployment/progress.ts';
import { hasEnded, type EndedStatus } from '../deployment/status.ts';
import type { ReturnedEnd, TerraformFound } from '../lane/activities.ts';
import type { DeploymentEnded } from '../lane/messages.ts';
import type { EffectOf, PassOn } from '../lane/rules/actor/effects.ts';
import { appearance } from '../lane/rules/check-runs/presentations.ts';
import type { DependenciesFound } from '../rollout/model.ts';
import type { Signed } from '../signed.ts';
import { progressAs } from '../testing.ts';
import { GitHubInMemory } from './github-in-memory.ts';
import { WorldWithClock } from './world-with-clock.ts';

/** A terraform workflow. */
interface Terraform {
  readonly deployment: Deployment;
  progress: Progress;
  unlocked: Signed<Unlock> | undefined;
  /** Nobody hears when it closes, or something else is left to do. */
  tellsEnd: boolean;
  /** Whether its last write is still shown, as far as it knows. */
  isShown: boolean;
  isClosed: boolean;
  result: ReturnedEnd | undefined;
  /** Tells the lane that started it. */
  readonly closed: (result: ReturnedEnd | undefined) => void;
}

/** Mostly ends after which a lane goes on. */
const ENDS: readonly EndedStatus[] = [
  'succeeded',
  'succeeded',
  'no-changes',
  'plan-failed',
  'rejected',
  'apply-failed',
  'apply-outcome-unknown',
];

export class TerraformsInMemory extends WorldWithClock {
  readonly github = new GitHubInMemory();
  readonly terraforms = new Map<string, Terraform>();
  /** Deployments whose own record is stored, by id. */
  readonly ended = new Map<string, Deployment>();
  /** What becomes of the deployments in other lanes for which a rollout waits, and when. */
  readonly dependencies = new Map<string, { readonly until: number; readonly then: DependenciesFound }>();
  /** A terraform workflow tells the lane. */
  onEnded: (message: DeploymentEnded) => void = () => undefined;

  /** Within a second most of the time, and always within half a minute. */
  delay(): number {
    const most = this.isHealthy || this.isLikely(70) ? 500 : this.isLikely(80) ? 3_000 : 30_000;
    return Math.floor(this.random() * most);
  }

  find(deploymentId: string): TerraformFound {
    const terraform = this.terraforms.get(deploymentId);
    if (terraform === undefined) return { kind: 'not-started' };
    const { progress, isClosed, result } = terraform;
    if (isClosed && result !== undefined) return { kind: 'completed', result };
    if (hasEnded(progress.status)) return { kind: 'ended', progress };
    if (isClosed && !this.isHealthy && this.isLikely(20)) return { kind: 'closing' };
    return { kind: isClosed ? 'closed' : 'running' };
  }

  /** Returns whether the terraform workflow is there. */
  passOn(passOn: PassOn): boolean {
    const terraform = this.terraforms.get(passOn.deploymentId);
    if (terraform === undefined || terraform.isClosed) return false;
    if (passOn.kind === 'cancel') this.at(this.now + this.delay(), () => this.end(terraform, 'cancelled'));
    if (passOn.kind === 'show-again')
      Object.assign(terraform, {
        isShown: false,
        unlocked: passOn.unlocked ?? terraform.unlocked,
        tellsEnd: terraform.tellsEnd || passOn.tellsEnd === true,
      });
    return true;
  }

  /** Returns false when it was started before. `closed` tells the lane that started it. */
  start({ deployment }: EffectOf<'start'>, closed: (result: ReturnedEnd | undefined) => void): boolean {
    if (this.terraforms.has(deployment.id)) return false;
    if (deployment.rollout !== undefined && this.dependencyOf(deployment.rollout).kind !== 'ready')
      throw new Error(`${deployment.id} was started before what it waits for`);
    if (this.atWork.length > 0) throw new Error(`${deployment.id} was started while another one runs`);
    const terraform: Terraform = {
      deployment,
      progress: progressAs('planning'),
      unlocked: deployment.unlocked,
      isShown: false,
      tellsEnd: this.isLikely(30),
      isClosed: false,
      result: undefined,
      closed,
    };
    this.terraforms.set(deployment.id, terraform);
    const end = ENDS[Math.floor(this.random() * ENDS.length)] ?? 'succeeded';
    this.at(this.now + 1_000 + 10 * this.delay(), () => this.end(terraform, end));
    return true;
  }

  /** Somebody ends it by force. Much later the reconciler finds that. */
  kill(deploymentId: string): void {
    const terraform = this.terraforms.get(deploymentId);
    if (terraform === undefined || !this.atWork.includes(terraform)) return;
    this.close(terraform);
    this.at(this.now + 60_000, () =>
      this.onEnded({ version: 1, deploymentId, progress: progressAs('cancelled'), isClosed: true }),
    );
  }

  get atWork(): readonly Terraform[] {
    return [...this.terraforms.values()].filter(({ isClosed, progress }) => !isClosed && !hasEnded(progress.status));
  }

  /** As the terraform workflow does it: it returns its end; or the lane hears of it first, then GitHub, then it closes. */
  private end(terraform: Terraform, status: EndedStatus): void {
    if (terraform.isClosed || hasEnded(terraform.progress.status)) return;
    const at = new Date(this.now).toISOString();
    const { deployment } = terraform;
    const times = { ...deployment.progress.times, [status]: at };
    terraform.progress = { status, times, jobs: {} };
    const { progress } = terraform;
    if (!terraform.tellsEnd) {
      const { checkRuns } = deployment;
      terraform.result = { progress, checkRuns, reported: { creationUncertain: true }, untold: [] };
      this.close(terraform);
      return;
    }
    const endedAt = this.now + this.delay();
    this.at(endedAt, () => this.onEnded({ version: 1, deploymentId: deployment.id, progress }));
    this.at(endedAt + this.delay(), () => this.showEnd(terraform));
  }

  /** Shows the end again until nothing has come meanwhile. */
  private showEnd(terraform: Terraform): void {
    if (terraform.isClosed) return;
    const { progress, unlocked } = terraform;
    const deployment = { ...terraform.deployment, ...(unlocked && { unlocked }), progress };
    const presentation = { deployment, creationUncertain: true };
    const checkRuns = this.github.write(presentation);
    this.keep(deployment);
    terraform.result = { progress, checkRuns, reported: { digest: appearance(presentation) } };
    terraform.isShown = true;
    this.at(this.now + this.delay(), () => {
      if (terraform.isShown) this.close(terraform);
      else this.showEnd(terraform);
    });
  }

  private close(terraform: Terraform): void {
    if (terraform.isClosed) return;
    terraform.isClosed = true;
    this.at(this.now + this.delay(), () => terraform.closed(terraform.result));
  }

  protected keep(deployment: Deployment): void {
    if (!this.ended.has(deployment.id)) this.ended.set(deployment.id, deployment);
  }

  protected dependencyOf(rollout: string): DependenciesFound {
    const { until, then } = this.dependencies.get(rollout) ?? { until: 0, then: { kind: 'ready' } };
    return this.now < until ? { kind: 'waiting', clause: `waits for ${rollout}` } : then;
  }
}
