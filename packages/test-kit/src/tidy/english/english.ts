import { isFixture, isProduct, type Rule, type SourceFile } from '../source-file.ts';
import { markdownPassages } from './markdown-passages.ts';
import type { Passage } from './passage.ts';
import { averageProblem, problemsOf } from './problems.ts';
import { sourcePassages } from './source-passages.ts';

/**
 * Pages, texts that people are shown, and comments of exported names are read once, by engineers whose first language is English.
 */
export const englishIsReadOnce: Rule = (files) =>
  files
    .filter((file) => !isFixture(file))
    .flatMap((file) => problemsOfFile(file).map((problem) => `${file.path}: ${problem}`));

function problemsOfFile(file: SourceFile): readonly string[] {
  const passages = passagesOf(file);
  const average = averageProblem(passages);
  return [...problemsOf(passages), ...(average === undefined ? [] : [average])];
}

function passagesOf(file: SourceFile): readonly Passage[] {
  if (file.path.endsWith('.md')) return markdownPassages(file.text);
  return isProduct(file) ? sourcePassages(file.text) : [];
}
