import type { Passage } from './passage.ts';
import { sentencesOf, wordsOf } from './sentences.ts';

/** More have to be read twice. */
const LIMIT_WORDS = 35;

/** Of a paragraph's sentences on one page. */
const LIMIT_AVERAGE_WORDS = 25;

/** A cell is looked at, not read: a longer text belongs below the table. */
const LIMIT_CELL = 200;

/** What a native reader stumbles over, and what to write in its place. */
const STUMBLES: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/^["'(]?(?:What|Whoever|Whom)\b(?!.*\?["')]?$)/, 'begins with a clause in place of a noun; write the noun'],
  [/^["'(]?Of (?:those|these|what|whom)\b/, 'begins with "Of …"; write the noun'],
  [/\b(?:may|can|must|shall|should|will|could|might) (?:nothing|nobody)\b/, 'has no verb after its auxiliary'],
  [/\bthat of\b/, 'has "that of"; repeat the noun'],
  [/\bof what (?:is|are|was|has|it|they|runs|waits)\b/, 'has a clause in place of a noun after "of"; write the noun'],
];

/** A sentence for each problem: the words at fault, and what to do. */
export function problemsOf(passages: readonly Passage[]): readonly string[] {
  return passages.flatMap((passage) => [
    ...lengthOf(passage),
    ...sentencesOf(passage.text).flatMap(problemsOfSentence),
  ]);
}

/** Undefined unless the sentences of a page are long on average. */
export function averageProblem(passages: readonly Passage[]): string | undefined {
  const sentences = passages.filter(({ kind }) => kind === 'paragraph').flatMap(({ text }) => sentencesOf(text));
  const words = sentences.reduce((sum, sentence) => sum + wordsOf(sentence), 0);
  if (words <= LIMIT_AVERAGE_WORDS * sentences.length) return undefined;
  return `its sentences have more than ${LIMIT_AVERAGE_WORDS} words on average; split some`;
}

function lengthOf({ kind, text }: Passage): readonly string[] {
  if (kind !== 'cell' || text.length <= LIMIT_CELL) return [];
  return [`"${beginning(text)}" is a cell of ${text.length} characters, expected at most ${LIMIT_CELL}; shorten it`];
}

function problemsOfSentence(sentence: string): readonly string[] {
  const words = wordsOf(sentence);
  const long = words > LIMIT_WORDS ? [`has ${words} words, expected at most ${LIMIT_WORDS}; split it`] : [];
  const stumbles = STUMBLES.filter(([pattern]) => pattern.test(sentence)).map(([, remedy]) => remedy);
  return [...long, ...stumbles].map((problem) => `"${beginning(sentence)}" ${problem}`);
}

function beginning(text: string): string {
  const LIMIT = 60;
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}
