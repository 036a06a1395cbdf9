/**
 * The few lines of a failed step's output that people are shown. The text is hostile: it may hold escape sequences, invalid
 * UTF-8, and characters that reorder a line.
 */
import type { Failure } from '@nereid/domain/host';
import { stateLockIn } from './state-lock.ts';
import { withoutEscapes } from '../without-escapes.ts';

/** The limits that `Failure` promises. */
const LINE_LIMIT = 60;
const LINE_LENGTH_LIMIT = 500;
const SUMMARY_LENGTH_LIMIT = 200;

/** `tail`: the end of the step's output; `otherwise`: the summary when Terraform printed no `Error: …` line. */
export function failureFrom(tail: Uint8Array, otherwise: string): Failure {
  const said = cleanLines(tail);
  const errors = errorLines(said);
  const titles = errors.filter((line) => line.startsWith('Error: '));
  const title = titles.find((line) => !INTRODUCTION.test(line)) ?? titles[0];
  const lines = (errors.length > 0 ? errors : said).slice(-LINE_LIMIT);
  const stateLock = stateLockIn(lines);
  return { summary: cut(title ?? otherwise, SUMMARY_LENGTH_LIMIT), lines, ...(stateLock && { stateLock }) };
}

/** An init prints this before the error that says what is wrong. */
const INTRODUCTION = /^Error: Terraform encountered problems during initiali[sz]ation/;

/** A failure that this package found itself. */
export function failureOf(sentence: string): Failure {
  return { summary: cut(sentence, SUMMARY_LENGTH_LIMIT), lines: [] };
}

/** One with what to do, which may be longer than a summary. */
export function refusal(sentence: string, remedy: readonly string[] = [sentence]): Failure {
  return { ...failureOf(sentence), lines: remedy.map((line) => cut(line, LINE_LENGTH_LIMIT)) };
}

/** Plain lines, each valid and short, without empty lines at the start and the end. */
function cleanLines(bytes: Uint8Array): readonly string[] {
  const text = withoutEscapes(new TextDecoder().decode(bytes));
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => cut(withoutControls(line), LINE_LENGTH_LIMIT));
  return trimmed(lines);
}

function withoutControls(line: string): string {
  return line
    .replaceAll('\t', '  ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trimEnd();
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** The errors without their frames: Terraform draws ╷ │ ╵ beside each diagnostic. */
function errorLines(lines: readonly string[]): readonly string[] {
  const blocks: string[][] = [];
  let block: string[] | undefined;
  for (const line of lines) {
    if (line.startsWith('╷')) block = [];
    else if (line.startsWith('╵')) block = undefined;
    else if (block) block.push(line.replace(/^│ ?/, ''));
    if (block?.length === 1 && block[0]?.startsWith('Error: ')) blocks.push(block);
  }
  return trimmed(blocks.flatMap((each) => [...trimmed(each), '']));
}

/** A cut may split a pair of surrogates, so the end is made well-formed. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
