/** One repository of the stage: what people do in it, as the gateway hands it over, and what they see of it. */
import { isDeepStrictEqual } from 'node:util';
import {
  checkRunName,
  planButton,
  type Deployment,
  type PlanButton,
  type PlanKind,
  type Progress,
} from '@nereid/domain/deployment';
import type {
  ButtonEvent,
  CommentEvent,
  PressedCheckRun,
  PushEvent,
  RerunAllEvent,
  RerunEvent,
} from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import type { CheckRunContent } from '@nereid/forge';
import type { CheckRun, FileChanges, GitHubStandIn, NewPullRequest, PullRequestRef } from '@nereid/github-stand-in';
import type { WorkerContext } from '../../platform/context.ts';
import { asOrdered } from '../../testing/test-signatures.ts';
import { pushCommits, type PushedCommit } from './push-commits.ts';
import { StagedLane } from './staged-lane.ts';

/** What git finds a root by. */
export const BACKEND = 'terraform {\n  backend "s3" {}\n}\n';

/** Of a plan of the stage. */
export const DIGEST = '0123456789abcdef'.repeat(4);

/** Of a plan that no host signed. */
const NO_MARK = 'none-at-all-';

export interface OpenedPullRequest {
  readonly number: number;
  readonly headSha: string;
  readonly branch: string;
}

interface ProposedPullRequest extends NewPullRequest {
  /** GitHub login; null: nobody. */
  readonly approvedBy: string | null;
}

/** A check run that GitHub has. */
export type OwnCheckRun = PressedCheckRun & { readonly id: number };

export class StagedRepository {
  readonly repository: Repository;
  /** `owner/name`. */
  readonly fullName: string;
  private readonly context: WorkerContext;
  private readonly standIn: GitHubStandIn;
  /** Of the deployments whose workflows answer. */
  private readonly progresses: Map<string, Progress>;
  private pullRequests = 0;

  constructor(
    context: WorkerContext,
    standIn: GitHubStandIn,
    repository: Repository,
    progresses: Map<string, Progress>,
  ) {
    this.repository = repository;
    this.fullName = `${repository.owner}/${repository.name}`;
    this.context = context;
    this.standIn = standIn;
    this.progresses = progresses;
  }

  head(): Promise<string> {
    return this.standIn.headOf(this.fullName);
  }

  /** A commit of wim, on the default branch unless given. */
  commit(files: FileChanges, branch = 'main'): Promise<string> {
    return this.standIn.commit({ repository: this.fullName, branch, files, message: 'A change', author: 'wim' });
  }

  /** One push, of wim to the default branch unless given. Answers the last commit. */
  pushAll(commits: readonly PushedCommit[], branch = 'main', by = 'wim'): Promise<string> {
    const url = new URL(`${this.fullName}.git`, `${this.standIn.url}/`);
    url.username = by;
    url.password = this.standIn.personToken(by);
    return pushCommits(url.href, branch, commits);
  }

  /** A pull request of wim on a branch of its own, ready for review and approved by ada unless told otherwise. */
  async pullRequest(files: FileChanges, more: Partial<ProposedPullRequest> = {}): Promise<OpenedPullRequest> {
    const { approvedBy = 'ada', ...details } = more;
    this.pullRequests += 1;
    const branch = `feature-${this.pullRequests}`;
    const headSha = await this.commit(files, branch);
    const input = { repository: this.fullName, title: 'A change', head: branch, author: 'wim', ...details };
    const { number } = await this.standIn.openPullRequest(input);
    if (approvedBy !== null) await this.standIn.approve({ repository: this.fullName, number }, approvedBy);
    return { number, headSha, branch };
  }

  /** Our check run of a root on a revision, failed unless told otherwise. */
  async ownCheckRun(rootName: string, headSha: string, changes: Partial<CheckRunContent> = {}): Promise<OwnCheckRun> {
    const content: CheckRunContent = {
      name: checkRunName(rootName),
      headSha,
      externalId: 'd1',
      status: 'completed',
      conclusion: 'failure',
      title: 'Plan failed',
      summary: 'What failed.',
      actions: [],
      ...changes,
    };
    const { id } = await this.context.forge.status.create(this.repository, content);
    const { name, externalId, conclusion = null } = content;
    return { id, name, headSha, externalId, conclusion };
  }

  /** The deployment of a root whose plan waits for a review, and its check run with the buttons. Without a lane that runs. */
  async review(deployment: Deployment): Promise<OwnCheckRun> {
    const { id, root, revision } = deployment;
    await this.lane(root.name).record({ running: deployment });
    this.reports(id, (await asOrdered(this.repository, deployment)).progress);
    const waiting = {
      conclusion: 'action_required',
      title: 'Plan: 1 to add',
      summary: 'Waiting for a person.',
    } as const;
    return this.ownCheckRun(root.name, revision.sha, { ...waiting, externalId: id });
  }

  /** From now on, its workflow says so, and the buttons of its check run are those of its plan. */
  reports(deploymentId: string, progress: Progress): void {
    this.progresses.set(deploymentId, progress);
  }

  /** No worker answers for it any more. */
  isSilent(deploymentId: string): void {
    this.progresses.delete(deploymentId);
  }

  async recordEnded(deployment: Deployment): Promise<Deployment> {
    const { repository } = this;
    const endedAt = new Date().toISOString();
    const ordered = await asOrdered(repository, deployment);
    await this.context.deploymentRecords.write({ version: 1, repository, deployment: ordered, endedAt });
    return ordered;
  }

  /** For what people do with a pull request on GitHub. */
  at({ number }: OpenedPullRequest): PullRequestRef {
    return { repository: this.fullName, number };
  }

  lane(rootName: string): StagedLane {
    return new StagedLane(this.context, this.repository, rootName);
  }

  /** Newest first. */
  checkRuns(): readonly CheckRun[] {
    return this.standIn.checkRuns(this.fullName);
  }

  /** The check run as GitHub shows it. */
  shown({ id }: PressedCheckRun): CheckRun | undefined {
    return this.checkRuns().find((checkRun) => checkRun.id === id);
  }

  /** Returns once the check run looks like this. */
  async shownAs(checkRun: PressedCheckRun, { actions, title }: Pick<CheckRunContent, 'actions' | 'title'>) {
    const looksSo = (shown: CheckRun | undefined) =>
      shown?.output.title === title && isDeepStrictEqual(shown.actions, actions);
    await this.standIn.waitFor(() => looksSo(this.shown(checkRun)), {
      what: `"${title}" as the check run's title`,
      deadlineMs: SHOWN_WITHIN_MS,
    });
  }

  /** The newest check run of its deployment, once its summary says this. */
  shownWith({ externalId }: Pick<PressedCheckRun, 'externalId'>, sentence: string): Promise<CheckRun> {
    return this.standIn.waitFor(
      () => {
        const newest = this.checkRuns().find((checkRun) => checkRun.externalId === externalId);
        return newest?.output.summary?.includes(sentence) ? newest : undefined;
      },
      { what: `"${sentence}" on the check run`, deadlineMs: SHOWN_WITHIN_MS },
    );
  }

  /** The bodies of a pull request's comments, oldest first. */
  comments({ number }: OpenedPullRequest): readonly string[] {
    return this.standIn.comments({ repository: this.fullName, number }).map(({ body }) => body);
  }

  /** To a pull request's comments, oldest first. */
  reactions({ number }: OpenedPullRequest): readonly string[] {
    const comments = this.standIn.comments({ repository: this.fullName, number });
    return comments.flatMap(({ reactions }) => reactions.map(({ content }) => content));
  }

  pushes(before: string, after: string): PushEvent {
    return { kind: 'push', repository: this.repository, branch: 'main', before, after, forced: false, sender: 'wim' };
  }

  presses(checkRun: PressedCheckRun, kind: ButtonEvent['button']['kind'], sender = 'wim'): ButtonEvent {
    const button = kind === 'unlock' ? { kind } : this.planButton(kind, checkRun);
    return { kind: 'button', repository: this.repository, checkRun, button, sender };
  }

  private planButton(kind: PlanKind, { externalId }: PressedCheckRun): PlanButton {
    const plan = this.progresses.get(externalId)?.plan;
    return (plan && planButton(kind, plan.made)) ?? { kind, mark: NO_MARK.slice(0, kind === 'override' ? 11 : 12) };
  }

  reruns(checkRun: PressedCheckRun, sender = 'wim'): RerunEvent {
    return { kind: 'rerun', repository: this.repository, checkRun, sender };
  }

  rerunsAll(headSha: string): RerunAllEvent {
    return { kind: 'rerun-all', repository: this.repository, checkSuiteId: 1, headSha, sender: 'wim' };
  }

  /** What `says` is about, written on GitHub too. */
  writes(opened: OpenedPullRequest, line: string, sender = 'wim'): CommentEvent {
    const { id } = this.standIn.comment({ repository: this.fullName, number: opened.number }, sender, line);
    return { ...this.says(opened, line, sender), commentId: id };
  }

  says({ number: pullRequest }: OpenedPullRequest, line: string, sender = 'wim'): CommentEvent {
    // GitHub tells times to the second, and a person takes longer than that.
    const createdAt = new Date(Date.now() + 1_000).toISOString();
    return { kind: 'comment', repository: this.repository, pullRequest, commentId: 1, createdAt, line, sender };
  }
}

/** Lanes tell GitHub within a second or two; only what hangs takes minutes. */
const SHOWN_WITHIN_MS = 120_000;
