/**
 * Finds what Terraform warns of in the output of a step. Terraform draws ╷ │ ╵ beside each warning. The output is hostile: it is also
 * that of code of the root.
 */
import { withoutEscapes } from '../../without-escapes.ts';

export interface WarningReader {
  read(chunk: Uint8Array): void;
  /** In the order in which they came, each in one line; not without secrets. */
  warnings(): readonly string[];
}

const BEGIN = '╷';
const END = '╵';

/** In bytes and in lines. What is longer is no warning of Terraform's, or nothing that anybody reads. */
const LINE_LIMIT = 4_096;
const LINES_LIMIT = 100;

/** Terraform itself counts warnings of the same kind from the second on. */
const WARNINGS_LIMIT = 100;

export function createWarningReader(): WarningReader {
  const decoder = new TextDecoder();
  const found: string[] = [];
  let unfinished = '';
  let block: string[] | undefined;

  function readLine(line: string): void {
    const shown = withoutEscapes(line.slice(0, LINE_LIMIT));
    if (shown.startsWith(BEGIN)) block = [];
    else if (shown.startsWith(END)) {
      if (block) keep(block);
      block = undefined;
    } else if (block && block.length < LINES_LIMIT) block.push(shown.replace(/^│ ?/, '').trimEnd());
  }

  function keep(lines: readonly string[]): void {
    const [title = ''] = lines;
    if (title.startsWith('Warning: ') && found.length < WARNINGS_LIMIT) found.push(inOneLine(lines));
  }

  return {
    read(chunk) {
      const text = unfinished + decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n');
      unfinished = text.slice(end + 1).slice(0, LINE_LIMIT);
      // Most output has no frame at all, and there may be a hundred megabytes of it.
      if (end === -1 || (block === undefined && !text.includes(BEGIN))) return;
      for (const line of text.slice(0, end).split('\n')) readLine(line);
    },
    warnings: () => found,
  };
}

/** "Value for undeclared variable (x.tfvars line 3): The root module does not …". The quoted source is left out. */
function inOneLine([first = '', ...lines]: readonly string[]): string {
  const place = lines.map((line) => PLACE.exec(line)?.groups).find((groups) => groups !== undefined);
  const at = place === undefined ? '' : ` (${place['file']} line ${place['line']})`;
  const details = paragraphs(lines).filter(([begin = '']) => !PLACE.test(begin));
  const title = `${first.slice('Warning: '.length)}${at}`;
  return [title, ...(details.length > 0 ? [details.flat().join(' ')] : [])].join(': ').replaceAll(/\s+/g, ' ');
}

const PLACE = /^ {2}on (?<file>\S.*) line (?<line>\d+)/;

function paragraphs(lines: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (line === '') found.push([]);
    else found.at(-1)?.push(line);
  }
  return found.filter((paragraph) => paragraph.length > 0);
}
