/** Finds the facts that discovery needs in a file in Terraform's language: whether it has a backend, and its local modules. */
import { hclTokens, type HclToken } from './hcl-tokens.ts';
import { isLocalSource, type TerraformFacts } from './terraform-facts.ts';

export function scanHcl(text: string): TerraformFacts {
  const scan: Scan = { around: [], words: [], attribute: undefined, hasBackend: false, modules: new Set() };
  for (const token of hclTokens(text)) take(scan, token);
  return { hasBackend: scan.hasBackend, modules: [...scan.modules] };
}

interface Scan {
  /** The types of the blocks around this place; '' stands for any other bracket. */
  readonly around: string[];
  /** The words at the beginning of the statement: a block's type and labels, or an attribute's name. */
  words: string[];
  /** The attribute whose value follows; '' when it is not a plain name. */
  attribute: string | undefined;
  hasBackend: boolean;
  readonly modules: Set<string>;
}

function take(scan: Scan, token: HclToken): void {
  switch (token.kind) {
    case 'newline':
      startStatement(scan);
      break;
    case 'word':
      scan.words.push(token.text);
      break;
    case 'string':
      takeString(scan, token.text);
      break;
    case 'equals':
      scan.attribute ??= scan.words.length === 1 ? scan.words[0] : '';
      break;
    case 'open-block':
      openBlock(scan);
      break;
    case 'open-other':
      scan.around.push('');
      break;
    case 'close-block':
      scan.around.pop();
      startStatement(scan);
      break;
    case 'close-other':
      scan.around.pop();
      break;
  }
}

function openBlock(scan: Scan): void {
  const type = scan.attribute === undefined ? (scan.words[0] ?? '') : '';
  if (isDirectlyIn(scan, 'terraform') && (type === 'backend' || type === 'cloud')) scan.hasBackend = true;
  scan.around.push(type);
  startStatement(scan);
}

function takeString(scan: Scan, text: string | undefined): void {
  const isSource = scan.attribute === 'source' && isDirectlyIn(scan, 'module');
  if (isSource && text !== undefined && isLocalSource(text)) scan.modules.add(text);
  // A block's label, which is never the first word of a statement.
  scan.words.push('');
}

function startStatement(scan: Scan): void {
  scan.words = [];
  scan.attribute = undefined;
}

function isDirectlyIn({ around }: Scan, type: string): boolean {
  return around.length === 1 && around[0] === type;
}
