/** What a deployment waits for, in the Markdown of check runs. */
import { ACTIONS } from '@nereid/domain/actions';
import type { WaitPart } from '@nereid/domain/deployment';
import { person, sentence, time } from '@nereid/forge';

/** `lock` is Markdown. A check run is the place where people answer, so no other is named. */
export function waitMarkdown(parts: readonly WaitPart[] = [], lock = ''): string {
  return parts.map((part) => markdownOf(part, lock)).join('');
}

function markdownOf(part: WaitPart, lock: string): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'lock':
      return lock;
    case 'time':
      return time(part.at);
    case 'person':
      return person(part.login);
    case 'action':
      return `**${ACTIONS[part.action].label}**`;
    case 'place':
      return '';
    case 'reason':
      return sentence(part.reason);
  }
}
