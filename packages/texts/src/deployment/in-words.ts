/** What people do where a forge shows no buttons: each action that a text names, on the console's page and in words. */
import { ACTIONS, type ActionRow, type CheckRunAction } from '@nereid/domain/actions';
import type { Deployment } from '@nereid/domain/deployment';
import { code, link, sentence } from '@nereid/forge';
import type { CheckRunLinks } from './links.ts';

type Answer = CheckRunAction | 'rerun';

/** Those that texts name in bold; GitHub shows **Re-run** beside the buttons. */
const ANSWERS: readonly Answer[] = ['confirm', 'reject', 'override', 'merge', 'unlock', 'rerun'];

/** Markdown; nothing where there are buttons, or no action is named. */
export function inWords(text: string, deployment: Deployment, links: CheckRunLinks): string[] {
  const { wordsOnly, commandName = 'nereid', deploymentUrl } = links;
  const named = ANSWERS.filter((answer) => text.includes(`**${ACTIONS[answer].label}**`));
  if (wordsOnly === undefined || named.length === 0) return [];
  const page = link('on the page of this deployment', deploymentUrl);
  const ways = named.flatMap((answer) => {
    const words = wordsOf(answer, deployment, { lane: wordsOnly.lane, commandName });
    return words.length === 0 ? [] : [`- **${ACTIONS[answer].label}**: ${words.join(', or ')}`];
  });
  const lead = `${sentence(wordsOnly.forge)} has no buttons: answer ${page}${ways.length === 0 ? '.' : ', or in words:'}`;
  return [lead, ...(ways.length === 0 ? [] : [ways.join('\n')])];
}

/** In a terminal a lane is named, and in a comment a root. A plan of a pull request is made again by a comment alone. */
function wordsOf(
  answer: Answer,
  { root, preview }: Deployment,
  { lane, commandName }: { readonly lane: string; readonly commandName: string },
): readonly string[] {
  const { verb, comment }: ActionRow = ACTIONS[answer];
  const commented = (words: string) => `a comment ${code(`${commandName} ${words} ${root.name}`)} on the pull request`;
  if (preview) return answer === 'rerun' ? [commented(ACTIONS.plan.verb)] : [];
  return [`${code(`nereid ${verb} ${lane}`)} in a terminal`, ...(comment === undefined ? [] : [commented(verb)])];
}
