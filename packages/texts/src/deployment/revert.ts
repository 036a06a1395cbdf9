import type { PreparedRevert, RevertPart } from '@nereid/domain/deployment';
import { link, sentence } from '@nereid/forge';

/** With absolute addresses. */
export interface ShownRevert extends PreparedRevert {
  /** The page of the plan. */
  readonly planUrl: string;
  /** The pull request that a revert takes back; absent where none is known. */
  readonly pullRequestUrl?: string;
}

/** Markdown: what going back would do, and how people do it. */
export function revertParagraph({ sentence: what, way, planUrl, pullRequestUrl }: ShownRevert): string {
  const how = way.map((part) => markdownOf(part, pullRequestUrl)).join('');
  return `${sentence(what)} ${link('See the plan', planUrl)}. ${how}`;
}

function markdownOf(part: RevertPart, pullRequestUrl: string | undefined): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'revert') return '**Revert**';
  const number = `#${part.number}`;
  return pullRequestUrl === undefined ? number : link(number, pullRequestUrl);
}
