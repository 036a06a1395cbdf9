/**
 * Terraform's own text of a plan as the lines of a `diff` fence, which forges colour by the first character of a line: `+` for what is
 * added, `-` for what goes, `!` for what is changed or replaced. A sign keeps its column only in the shape `-/+` or `+/-`.
 */

/** `  ~ name = …`. Only the sign of a replacement begins a line: a sign there is otherwise that of a list in a note. */
const SIGNED = /^(?<indent> {2,}|(?=.\/))(?<sign>-\/\+|\+\/-|[-+~])(?= )/;

/** `~ user_data = <<-EOT` */
const OPENS_HEREDOC = /<<-?EOT(?: #[^]*)?$/;
/** `EOT`, `EOT,` or `EOT # forces replacement`. */
const CLOSES_HEREDOC = /^ +EOT\b/;

/** Terraform writes the signs within a changed heredoc this much further to the right than that of its attribute. */
const HEREDOC_INDENT = 4;

export type DiffMark = '+' | '-' | '!' | ' ';

const MARKS: Readonly<Record<string, DiffMark>> = { '+': '+', '-': '-', '~': '!', '-/+': '!', '+/-': '!' };

interface Heredoc {
  /** Of all lines, where the whole value comes or goes. */
  readonly mark: DiffMark | undefined;
  /** The only column where a line of a changed value has its sign: a list in YAML has the same signs elsewhere. */
  readonly column: number;
}

/** A line of a plan, with its mark in the first column. */
export interface DiffLine {
  readonly mark: DiffMark;
  readonly line: string;
  /** It is a line of a value that has several. */
  readonly isOfText: boolean;
}

export function planDiff(lines: readonly string[]): string[] {
  return diffLines(lines).map(({ line }) => line);
}

export function diffLines(lines: readonly string[]): DiffLine[] {
  let heredoc: Heredoc | undefined;
  return lines.map((line) => {
    if (heredoc !== undefined) {
      if (!CLOSES_HEREDOC.test(line)) return heredocLine(line, heredoc);
      heredoc = undefined;
      return marked(line, ' ');
    }
    const { indent = '', sign = '' } = SIGNED.exec(line)?.groups ?? {};
    const mark = MARKS[sign];
    if (OPENS_HEREDOC.test(line)) {
      heredoc = { mark: sign === '~' ? undefined : mark, column: indent.length + HEREDOC_INDENT };
    }
    if (mark === undefined) return marked(line, ' ');
    return marked(sign.length > 1 ? line : `${indent} ${line.slice(indent.length + 1)}`, mark);
  });
}

function heredocLine(line: string, { mark, column }: Heredoc): DiffLine {
  if (mark !== undefined) return marked(line, mark, true);
  const sign = line.at(column);
  const isSigned = (sign === '+' || sign === '-') && line.slice(0, column).trim() === '';
  return isSigned ? marked(`${line.slice(0, column)} ${line.slice(column + 1)}`, sign, true) : marked(line, ' ', true);
}

/** The mark takes the place of the first space, so that most lines stay as long as they are. */
function marked(line: string, mark: DiffMark, isOfText = false): DiffLine {
  const isEmpty = line === '' && mark === ' ';
  return { mark, line: isEmpty ? line : `${mark}${line.startsWith(' ') ? line.slice(1) : line}`, isOfText };
}
