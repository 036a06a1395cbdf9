/** Terraform's own text of a plan, as the text of a check run: below the summary, with its table of changes. */
import type { PlanText } from '@nereid/domain/plan';
import { cutToLimit, fenced, folded, htmlCode, link, OUTPUT_LIMIT_BYTES } from '@nereid/forge';
import { planDiff } from './plan-diff.ts';
import { RESOURCES_UNFOLDED } from './plan-markdown.ts';
import { textBlocks, trimLines, type TextBlock } from './plan-parts.ts';

/** The text of a plan, or a sentence of ours that says why it is not shown. */
export type ShownPlanText =
  { readonly kind: 'text'; readonly text: PlanText } | { readonly kind: 'none'; readonly why: string };

/** Markdown for the plan of a deployment, or of anything else that has one; `logUrl` is the page with the log of the plan. */
export function planTextSection(shown: ShownPlanText, logUrl: string): string {
  const log = link('The log', logUrl);
  if (shown.kind === 'none') return `_${shown.why} ${log} has it._`;
  const { text } = shown;
  const missing = whatIsMissing(text);
  const sectionWith = (blocks: readonly string[]) =>
    [
      "Terraform's own text of this plan; destroyed and replaced resources come first:",
      ...blocks,
      ...(missing === undefined ? [] : [`_${missing} ${log} has all of it._`]),
    ].join('\n\n');
  const folds = foldedText(text.text).map(sectionWith).find(hasRoom);
  const notice = `_This was too long to show here. ${log} has all of it._`;
  return folds ?? cutToLimit(sectionWith([diffBlock(text.text.split('\n'))]), notice);
}

function hasRoom(section: string): boolean {
  return Buffer.byteLength(section) <= OUTPUT_LIMIT_BYTES;
}

/** Of a long text: each further resource in a fold of its own, or all of them in one, which takes less room. */
function foldedText(text: string): readonly (readonly string[])[] {
  const blocks = textBlocks(text);
  const resources = blocks.filter(({ about }) => about === 'resource');
  const further = resources.slice(RESOURCES_UNFOLDED);
  const [next] = further;
  if (next === undefined) return [];
  const before = blocks.slice(0, blocks.indexOf(next));
  const rest = blocks.slice(before.length).filter(({ about }) => about !== 'resource');
  const each = further.map((block) => folded(htmlCode(block.name ?? ''), diffOf([block])));
  const together = folded(
    further.length === 1 ? '1 more resource' : `${further.length} more resources`,
    diffOf(further),
  );
  const around = (folds: readonly string[]) => [diffOf(before), ...folds, ...(rest.length === 0 ? [] : [diffOf(rest)])];
  return [around(each), around([together])];
}

function diffOf(blocks: readonly TextBlock[]): string {
  return diffBlock(trimLines(blocks.flatMap(({ lines }) => lines)));
}

function diffBlock(lines: readonly string[]): string {
  return fenced(planDiff(lines), 'diff');
}

function whatIsMissing({ leftOut, isShortened }: PlanText): string | undefined {
  if (leftOut === 0) return isShortened ? 'Long parts are shortened.' : undefined;
  const resources = leftOut === 1 ? 'The text of 1 resource is' : `The text of ${leftOut} resources is`;
  return `${resources} left out here${isShortened ? ', and other parts are shortened' : ''}.`;
}
