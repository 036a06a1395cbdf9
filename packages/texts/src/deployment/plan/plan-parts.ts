/** Terraform's own text of a plan, resource by resource. Values stand further to the right than anything that begins a part. Pure. */

export interface PlanParts {
  /** By address: the lines that introduce a resource, and its changes. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  /** Outputs, notes, and what changed outside of Terraform. */
  readonly rest: readonly string[];
}

/** An address has spaces only in the quoted keys of its instances. */
const HEADER = /^ {1,2}# (?<address>(?:[^\s"]|"(?:[^"\\]|\\.)*")+) /;

export function planParts(text: string): PlanParts {
  const resources = new Map<string, string[]>();
  const rest: string[] = [];
  let part = rest;
  let isHeader = false;
  for (const line of text.split('\n')) {
    const address = HEADER.exec(line)?.groups?.['address'];
    // Of several lines that introduce one resource, the first has its address. A second part of a resource says what changed outside.
    if (address !== undefined && !isHeader) {
      part = resources.has(address) ? rest : [];
      if (part !== rest) resources.set(address, part);
    } else if (/^[^\s+~.-]/.test(line)) part = rest;
    isHeader = /^ {1,2}# /.test(line);
    part.push(line);
  }
  return {
    resources: new Map([...resources].map(([address, lines]) => [address, withoutEnds(lines)])),
    rest: withoutEnds(rest),
  };
}

/** Without the empty lines around it. */
function withoutEnds(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== '');
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex((line) => line !== '') + 1);
}
