import { isFixture, type Rule } from './source-file.ts';

/** Beyond this a file is no longer one thing that is read at once. */
const LIMIT_LINES = 400;

/** Longer ones, and why. */
const LONGER: ReadonlyMap<string, string> = new Map([['package-lock.json', 'is written by npm']]);

export const filesAreShort: Rule = (files) =>
  files
    .filter((file) => !isFixture(file) && !LONGER.has(file.path) && lines(file.text) > LIMIT_LINES)
    .map(({ path, text }) => `${path}: has ${lines(text)} lines, expected at most ${LIMIT_LINES}; split it by noun`);

function lines(text: string): number {
  return text.split('\n').length - 1;
}
