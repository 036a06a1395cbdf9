/** Terraform's own text of a plan, as the text of a check run: below the summary, with its table of changes. */
import type { PlanText } from '@nereid/domain/plan';
import { cutToLimit, fenced, link } from '@nereid/forge';
import { planDiff } from './plan-diff.ts';

/** The text of a plan, or a sentence of ours that says why it is not shown. */
export type ShownPlanText =
  { readonly kind: 'text'; readonly text: PlanText } | { readonly kind: 'none'; readonly why: string };

/** Markdown for the plan of a deployment, or of anything else that has one; `logUrl` is the page with the log of the plan. */
export function planTextSection(shown: ShownPlanText, logUrl: string): string {
  const log = link('The log', logUrl);
  if (shown.kind === 'none') return `_${shown.why} ${log} has it._`;
  const { text } = shown;
  const missing = whatIsMissing(text);
  const blocks = [
    "Terraform's own text of this plan; destroyed and replaced resources come first:",
    fenced(planDiff(text.text.split('\n')), 'diff'),
    ...(missing === undefined ? [] : [`_${missing} ${log} has all of it._`]),
  ];
  return cutToLimit(blocks.join('\n\n'), `_This was too long to show here. ${log} has all of it._`);
}

function whatIsMissing({ leftOut, isShortened }: PlanText): string | undefined {
  if (leftOut === 0) return isShortened ? 'Long parts are shortened.' : undefined;
  const resources = leftOut === 1 ? 'The text of 1 resource is' : `The text of ${leftOut} resources is`;
  return `${resources} left out here${isShortened ? ', and other parts are shortened' : ''}.`;
}
