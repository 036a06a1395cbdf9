/** Words for people, and texts from repositories without what a chat would make of them. */
import { topicWords, type Notification } from '@nereid/domain/notification';
import { plain } from '@nereid/forge';

/** Joins what it stands between, and shows nothing. */
const WORD_JOINER = '\u2060';

/**
 * One line, at most so long, in which nothing is a mention or a link: neither `@name` nor `#channel` nor `https://` nor
 * `www.` is at the beginning of a word any more.
 */
export function plainLine(text: string, limit: number): string {
  return plain(text, limit)
    .replaceAll(/[@#]/g, `$&${WORD_JOINER}`)
    .replaceAll('://', `:${WORD_JOINER}//`)
    .replaceAll(/\b(www|mailto)([.:])/gi, `$1${WORD_JOINER}$2`);
}

const SENTENCE_LIMIT = 500;

export function sentenceOf({ sentence }: Notification): string {
  return plainLine(sentence, SENTENCE_LIMIT);
}

/** `acme/infra: network failed`, `Nereid: a workflow is stuck`. The sentence says the rest. */
export function titleOf(notification: Notification): string {
  const { repository = 'Nereid', type } = notification;
  const what = subjectOf(notification);
  const name = what === undefined ? '' : `: ${plainLine(what, NAME_LIMIT)}`;
  return `${plainLine(repository, NAME_LIMIT)}${name} ${topicWords(type)}`;
}

/** Undefined for a whole repository. */
function subjectOf({ repository, root, type }: Notification): string | undefined {
  if (root !== undefined) return root.name;
  if (type === 'forged') return 'a message';
  if (repository === undefined) return 'a workflow';
  return type === 'halted' || type === 'resumed' ? 'a rollout' : undefined;
}

export const NAME_LIMIT = 150;

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** To our own pages and to those of the forge. */
export function linksOf({ deployment, links }: Notification): readonly Link[] {
  const all = [
    { label: deployment === undefined ? 'Page' : 'Deployment', url: links.page },
    { label: 'Check run', url: links.checkRun },
    { label: 'Pull request', url: links.pullRequest },
  ];
  return all.flatMap(({ label, url }) => (url === undefined ? [] : [{ label, url }]));
}
