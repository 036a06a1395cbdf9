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

export function planParts(text: string): PlanParts {
  const found = { resources: new Map<string, string[]>(), drift: new Map<string, string[]>() };
  const outputs: string[] = [];
  const notes: string[] = [];
  let part = notes;
  let ofHeaders = found.resources;
  let isHeader = false;
  for (const line of text.split('\n')) {
    const name = isHeader ? undefined : nameIn(line);
    // Of several lines that introduce one resource, the first has its address.
    if (name !== undefined) {
      part = ofHeaders.get(name) ?? [];
      ofHeaders.set(name, part);
    } else if (PARAGRAPH.test(line)) {
      part = line.startsWith(OUTPUTS) ? outputs : notes;
      if (line.startsWith(DRIFT)) ofHeaders = found.drift;
    }
    isHeader = /^ {1,2}# /.test(line);
    if (![OUTPUTS, DRIFT].some((title) => line.startsWith(title)) && !COUNTS.test(line)) part.push(line);
  }
  return {
    resources: eachWithoutEnds(found.resources),
    outputs: withoutEnds(outputs),
    drift: eachWithoutEnds(found.drift),
    notes: withoutEnds(notes),
  };
}

/** An address, and which object of it where it is not the current one. */
function nameIn(line: string): string | undefined {
  const { address, says = '' } = HEADER.exec(line)?.groups ?? {};
  if (address === undefined) return undefined;
  const next = MOVED.exec(says)?.groups?.['next'];
  const object = DEPOSED.exec(says)?.groups?.['object'];
  return next ?? (object === undefined ? address : `${address} ${object}`);
}

function eachWithoutEnds(parts: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  return new Map([...parts].map(([name, lines]) => [name, withoutEnds(lines)]));
}

/** Without the empty lines around it. */
function withoutEnds(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== '');
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex((line) => line !== '') + 1);
}
