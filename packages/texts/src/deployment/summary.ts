/**
 * The summary of a deployment's check run, for a person in a hurry: what must not be missed, the state and the next step, the failure,
 * the changes (destroys first), the people involved, links.
 */
import {
  hasEnded,
  shortSha,
  type Deployment,
  type Presentation,
  type PreviewParents,
  type Progress,
  type Revision,
  warningsOf,
} from '@nereid/domain/deployment';
import type { MadePlan, Plan, Review } from '@nereid/domain/plan';
import { inWords } from './in-words.ts';
import { checkRunLead } from './lead.ts';
import { resourceUrl } from '../links/page-links.ts';
import type { CheckRunLinks } from './links.ts';
import { confirmingRules, describeRules } from '@nereid/domain/gates';
import {
  code,
  cutToLimit,
  fenced,
  link,
  person,
  quietly,
  renderNotice,
  renderWarning,
  sentence,
  time,
} from '@nereid/forge';
import { stateLockHelp } from './state-lock/state-lock-help.ts';
import { planHeadline, planTable, planWarningBlocks, resourceGroups } from './plan/plan-markdown.ts';
import { policyBlocks } from './policies.ts';
import { configWarningBlocks } from './config-warnings.ts';
import type { CheckRunDetails } from './check-run-details.ts';
import { revertParagraph } from './revert.ts';

export function checkRunSummary(
  subject: Presentation,
  links: CheckRunLinks,
  { closing, revert }: Pick<CheckRunDetails, 'closing' | 'revert'>,
): string {
  const lead = checkRunLead(subject, links);
  const blocks = [
    ...noticeOf(subject),
    ...warningsOf(subject.deployment).map(renderWarning),
    ...headlineOf(subject.deployment, links),
    lead,
    ...(closing === undefined ? [] : [`${sentence(closing)}.`]),
    ...inWords(lead, subject.deployment, links),
    ...(revert ? [revertParagraph(revert)] : []),
    ...failureOf(subject.deployment),
    ...stateLockOf(subject.deployment, links),
    ...configWarningBlocks(subject.deployment.configWarnings),
    ...planWarningBlocks(subject.deployment.progress.plan?.made.body),
    ...policyBlocks(subject.deployment),
    ...planOf(subject.deployment),
    peopleOf(subject.deployment, links),
    linksOf(links),
  ];
  return cutToLimit(
    blocks.join('\n\n'),
    `_This was too long to show here. ${link('See all of it', links.deploymentUrl)}._`,
  );
}

/** The summary of a check run after which the deployment went on. */
export function supersededSummary(deployment: Deployment, links: CheckRunLinks): string {
  const lead = 'This deployment went on: the newer check run of the same name shows how.';
  return [lead, peopleOf(deployment, links), linksOf(links)].join('\n\n');
}

function noticeOf({ notice }: Presentation): string[] {
  return notice === undefined ? [] : [renderNotice(notice)];
}

function failureOf({ progress }: Deployment): string[] {
  const { failure } = progress;
  return failure && failure.body.lines.length > 0 ? [fenced(failure.body.lines, 'text')] : [];
}

function stateLockOf({ root, progress }: Deployment, { commandName }: CheckRunLinks): string[] {
  const { stateLock } = progress.failure?.body ?? {};
  return stateLock ? [stateLockHelp(stateLock, root.name, commandName)] : [];
}

/** Of a plan that is not applied yet. */
function headlineOf(deployment: Deployment, { deploymentUrl }: CheckRunLinks): string[] {
  const { plan, status } = deployment.progress;
  const isAhead = !hasEnded(status) || status === 'planned';
  if (!plan || !isAhead || !showsPlan(deployment) || deployment.preview?.isRemoval) return [];
  return planHeadline(plan.made.body.summary, (address) => link(code(address), resourceUrl(deploymentUrl, address)));
}

function planOf(deployment: Deployment): string[] {
  const { plan } = deployment.progress;
  if (!plan || !showsPlan(deployment)) return [];
  if (deployment.preview?.isRemoval) return resourceGroups(plan.made.body.summary);
  return [planTable(plan.made.body.summary), ...resourceGroups(plan.made.body.summary), digestOf(plan.made.body)];
}

/** What the audit trail says of its apply begins so. */
function digestOf({ digest }: MadePlan): string {
  return `Digest of this plan: ${code(digest.slice(0, DIGITS_SHOWN))}`;
}

/** Enough to compare by eye. Nothing is decided by them. */
const DIGITS_SHOWN = 12;

/** Whether the check run shows the plan of its deployment. */
export function showsPlan({ progress }: Deployment): boolean {
  return progress.plan?.made.body.hasChanges === true;
}

/** The revision and its author, and the people who asked for the deployment, reviewed it and unlocked the lane. */
function peopleOf(deployment: Deployment, links: CheckRunLinks): string {
  const { preview } = deployment;
  if (preview) return previewOf(deployment, preview, links);
  const { revision, requestedBy, trigger, rerun, force, pullRequest, progress, unlocked } = deployment;
  const sha = links.commitUrl ? link(code(shortSha(revision.sha)), links.commitUrl) : code(shortSha(revision.sha));
  const isOnBranch = trigger === 'merge' || rerun;
  const origin = isOnBranch ? `merged to ${code(revision.branch)}` : 'deployed by hand';
  const number = pullRequest === undefined ? undefined : `#${pullRequest}`;
  return [
    `- Revision ${sha} ${code(revision.title)} by ${author(revision)}, ${origin}`,
    ...(number ? [`- Pull request ${links.pullRequestUrl ? link(number, links.pullRequestUrl) : number}`] : []),
    `- Asked for by ${person(requestedBy)}${rerun ? ' as a re-run' : ''}${force ? ', requirements skipped' : ''}, ${time(deployment.receivedAt)}`,
    ...approvalsOf(progress).map((one) => `- ${reviewOf(one, progress.plan)}`),
    ...(progress.review ? [`- ${reviewOf(progress.review, progress.plan)}`] : []),
    ...ruleOf(deployment),
    ...glassOf(progress),
    ...(unlocked ? [`- Lane unlocked by ${person(unlocked.body.by)}, ${time(unlocked.body.askedAt)}`] : []),
  ].join('\n');
}

/** The rule that confirmed the plan. */
function ruleOf(deployment: Deployment): readonly string[] {
  const rules = confirmingRules(deployment);
  return rules.length === 0 ? [] : [`- Confirmed by ${sentence(describeRules(rules))}`];
}

/** The reason is the person's own words, which call nobody. */
function glassOf({ glass }: Progress): readonly string[] {
  if (glass === undefined) return [];
  const { by, at, reason } = glass.body;
  return [`- Let pass stops and windows by ${person(by)}, ${time(at)}: ${quietly(reason)}`];
}

/** Those of several people; the last one is the review. */
function approvalsOf({ approvals = [], review }: Progress): readonly Review[] {
  const others = approvals.filter(({ signature }) => signature !== review?.press?.signature);
  return others.map(({ body: { answer: given, by, at } }) => ({ answer: given, by, at }));
}

/** The commits whose merge is planned. */
function previewOf(
  { revision, requestedBy, pullRequest, receivedAt }: Deployment,
  preview: PreviewParents,
  links: CheckRunLinks,
): string {
  const { headSha, baseSha, group } = preview;
  const number = `#${pullRequest}`;
  const how = group === undefined ? 'merged with' : 'of the merge queue, against';
  return [
    `- ${code(shortSha(headSha))} ${how} ${code(revision.branch)} at ${code(shortSha(baseSha))}, ${time(receivedAt)}`,
    `- ${group === undefined ? 'Pull request' : 'Up to pull request'} ${links.pullRequestUrl ? link(number, links.pullRequestUrl) : number} ${code(revision.title)} by ${person(requestedBy)}`,
  ].join('\n');
}

/** No @mention: a commit can name anybody as its author. */
function author(revision: Revision): string {
  return `${code(revision.author, AUTHOR_LIMIT)} (as the commit says)`;
}

/** In characters, so that it fits on a line. Nobody is looked up by this name. */
const AUTHOR_LIMIT = 60;

/** A review before the merge was given when the button was pressed, long before the deployment took it. */
function reviewOf({ answer: given, by, at, press }: Review, plan: Plan | undefined): string {
  const [how, when] = plan?.beforeMerge ? [' before the merge', press?.body.at ?? at] : ['', at];
  return `${answer(given)} by ${person(by)}${how}, ${time(when)}`;
}

function answer(given: 'approved' | 'rejected'): string {
  return given === 'approved' ? 'Confirmed' : 'Rejected';
}

function linksOf({ deploymentUrl, allPlansUrl, workflowUrl, laneUrl }: CheckRunLinks): string {
  return [
    link('Plan and logs', deploymentUrl),
    ...(allPlansUrl ? [link('All plans of the pull request', allPlansUrl)] : []),
    ...(workflowUrl ? [link('Workflow', workflowUrl)] : []),
    ...(laneUrl ? [link('Lane', laneUrl)] : []),
  ].join(' · ');
}
