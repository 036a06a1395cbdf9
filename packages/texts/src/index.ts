/** The words that people read about deployments, pull requests and configurations, on any forge and in the console. Pure. */
export { renderConfigProblems, type ConfigProblem, type ConfigProblemsSubject } from './config/config-problems.ts';
export { renderRemovedRoots, type RemovedRoots } from './config/removed-roots.ts';
export type { CheckRunLinks, WordsOnly } from './deployment/links.ts';
export { diffLines, planDiff, type DiffLine, type DiffMark } from './deployment/plan/plan-diff.ts';
export { planParts, type PlanParts } from './deployment/plan/plan-parts.ts';
export { planTextSection, type ShownPlanText } from './deployment/plan/plan-text.ts';
export { REMOVAL_HELP, removalParagraphs, removalTitle, whatStays } from './deployment/removal.ts';
export { pressableOn, renderCheckRun, renderSuperseded } from './deployment/render-check-run.ts';
export type { ShownRevert } from './deployment/revert.ts';
export { checkRunTitle, titleWithReviewers } from './deployment/title.ts';
export * from './links/page-links.ts';
export { pullRequestTitle, renderPullRequest, type PullRequestSubject } from './pull-request/pull-request-check-run.ts';
export { isWorthAComment, renderPullRequestComment } from './pull-request/pull-request-comment.ts';
export { isOpen as isUnderWay, removedSentence, type ShownPreview } from './pull-request/pull-request-table.ts';
export { describeNextWave, openedBy, rerunThatResumes, type OpenedBy } from './rollout/next-wave.ts';
export { renderRollout, type RolloutSubject } from './rollout/rollout-check-run.ts';
export { titleSubject } from './pull-request/title-subject.ts';
