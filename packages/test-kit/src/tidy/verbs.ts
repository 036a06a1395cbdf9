import { isFixture, isTypeScript, type Rule, type SourceFile } from './source-file.ts';

/** Verbs that say nothing about what happens. The list may grow. */
const SAYS_NOTHING = ['take', 'tell', 'look', 'leave', 'turn', 'bring'];

const VERB = String.raw`(?:${SAYS_NOTHING.join('|')})(?:[A-Z]\w*)?\b`;
const EXPORTED = new RegExp(String.raw`^export (?:(?:async )?function\*?|const|let) (${VERB})`, 'gm');
/** Of a list such as `export { takeTurn, nextTurn as turnOf } from './turn.ts'`: the names that others see. */
const EXPORTED_LIST = /^export \{([^}]*)\}/gm;
const IN_LIST = new RegExp(String.raw`(?:^|,|\bas)\s*(${VERB})(?=\s*(?:,|$))`, 'g');
/** These two are refused in private functions, too. */
const PRIVATE = /^\s*(?:async )?function\*? ((?:take|tell)(?:[A-Z]\w*)?)\b/gm;
const ACTIVITIES = /^export interface \w*Activities \{$([\s\S]*?)^\}$/gm;
const ACTIVITY = new RegExp(String.raw`^ {2}(${VERB})[(:]`, 'gm');

/** A stranger's first guess finds a function by the verb that the field uses. */
export const verbsSayWhatHappens: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file) && !isFixture(file))
    .flatMap((file) =>
      namesIn(file).map((name) => `${file.path}: ${name} begins with a verb that says nothing; name what happens`),
    );

function namesIn({ text }: SourceFile): readonly string[] {
  const exported = [...found(EXPORTED, text), ...found(EXPORTED_LIST, text).flatMap((list) => found(IN_LIST, list))];
  const activities = found(ACTIVITIES, text).flatMap((body) => found(ACTIVITY, body));
  return [...exported, ...found(PRIVATE, text), ...activities];
}

function found(pattern: RegExp, text: string): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, match]) => match ?? '');
}
