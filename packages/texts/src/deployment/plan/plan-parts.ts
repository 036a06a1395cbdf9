/** Terraform's own text of a plan, part by part. Values stand further to the right than anything that begins a part. Pure. */

export interface PlanParts {
  /** By name: the lines that introduce a resource, and its changes. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  readonly outputs: readonly string[];
  /** Resources that changed outside of Terraform, by name. */
  readonly drift: ReadonlyMap<string, readonly string[]>;
  /** Terraform's sentences about the plan as a whole. */
  readonly notes: readonly string[];
}

/** An address has spaces only in the quoted keys of its instances. */
const ADDRESS = String.raw`(?:[^\s"]|"(?:[^"\\]|\\.)*")+`;
const HEADER = new RegExp(String.raw`^ {1,2}# (?<address>${ADDRESS}) (?<says>.*)`);
/** The plan knows a moved resource by its next address. */
const MOVED = new RegExp(`^has moved to (?<next>${ADDRESS})$`);
const DEPOSED = /^(?<object>\(deposed object [\da-f]+\))/;

const OUTPUTS = 'Changes to Outputs:';
const DRIFT = 'Note: Objects have changed outside of ';
/** What is not said of a resource. OpenTofu does not indent the end of one that it forgets. */
const PARAGRAPH = /^[^\s+~.}-]/;
/** Every page has these numbers anyway. */
const COUNTS = /^Plan: \d/;

/** Lines that follow each other and are about one resource, or about none. */
export interface TextBlock {
  readonly about: 'resource' | 'drift' | 'outputs' | 'note';
  /** Of resources. */
  readonly name?: string;
  readonly lines: string[];
}

/** All lines of a text, in their order. */
export function textBlocks(text: string): readonly TextBlock[] {
  let block: TextBlock = { about: 'note', lines: [] };
  const blocks = [block];
  const begin = (next: TextBlock) => {
    block = next;
    blocks.push(next);
  };
  let ofHeaders: 'resource' | 'drift' = 'resource';
  let isHeader = false;
  for (const line of text.split('\n')) {
    const name = isHeader ? undefined : nameIn(line);
    // Of several lines that introduce one resource, the first has its address.
    if (name !== undefined) begin({ about: ofHeaders, name, lines: [] });
    else if (PARAGRAPH.test(line)) {
      if (line.startsWith(DRIFT)) ofHeaders = 'drift';
      begin({ about: line.startsWith(OUTPUTS) ? 'outputs' : 'note', lines: [] });
    }
    isHeader = /^ {1,2}# /.test(line);
    block.lines.push(line);
  }
  return blocks;
}

export function planParts(text: string): PlanParts {
  const blocks = Map.groupBy(textBlocks(text), ({ about }) => about);
  const linesOf = (about: TextBlock['about']) =>
    trimLines((blocks.get(about) ?? []).flatMap(({ lines }) => lines.filter(isOwn)));
  const byName = (about: TextBlock['about']) => {
    const named = Map.groupBy(blocks.get(about) ?? [], ({ name = '' }) => name);
    return new Map(
      [...named].map(([name, some]) => [name, trimLines(some.flatMap(({ lines }) => lines.filter(isOwn)))]),
    );
  };
  return { resources: byName('resource'), outputs: linesOf('outputs'), drift: byName('drift'), notes: linesOf('note') };
}

/** Whether it says more than the title of its part. */
function isOwn(line: string): boolean {
  return ![OUTPUTS, DRIFT].some((title) => line.startsWith(title)) && !COUNTS.test(line);
}

/** An address, and which object of it where it is not the current one. */
function nameIn(line: string): string | undefined {
  const { address, says = '' } = HEADER.exec(line)?.groups ?? {};
  if (address === undefined) return undefined;
  const next = MOVED.exec(says)?.groups?.['next'];
  const object = DEPOSED.exec(says)?.groups?.['object'];
  return next ?? (object === undefined ? address : `${address} ${object}`);
}

/** Without the empty lines around them. */
export function trimLines(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== '');
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex((line) => line !== '') + 1);
}
