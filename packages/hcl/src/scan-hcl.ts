import { hclTokens, type HclToken } from './hcl-tokens.ts';

/** `within` is the type of the block around it; undefined unless that is one block at the top of the file. */
export type HclPart =
  | { readonly kind: 'block'; readonly type: string; readonly within: string | undefined }
  /** Attributes whose value is one string without expressions. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string; readonly within: string | undefined }
  /** Attributes whose value Terraform evaluates. */
  | { readonly kind: 'expression'; readonly name: string; readonly within: string | undefined };

/** The blocks and attributes of a file, in its order. Invalid text is skipped. */
export function* scanHcl(text: string): Generator<HclPart> {
  const scan: Scan = { around: [], words: [], attribute: undefined, string: undefined };
  for (const token of hclTokens(text)) {
    const attribute = endString(scan, ENDS.has(token.kind));
    if (attribute !== undefined) yield attribute;
    const part = scanToken(scan, token);
    if (part !== undefined) yield part;
  }
  const last = endString(scan, true);
  if (last !== undefined) yield last;
}

/** What may follow the value of an attribute. */
const ENDS: ReadonlySet<HclToken['kind']> = new Set(['newline', 'comma', 'close-block']);

interface Scan {
  /** The types of the blocks around this place; '' stands for any other bracket. */
  readonly around: string[];
  /** The words at the beginning of the statement: a block's type and labels, or an attribute's name. */
  words: string[];
  /** The attribute whose value follows; '' when its name is not plain, or its value has begun. */
  attribute: string | undefined;
  /** A value that is one string, unless the next token makes it a part of an expression. */
  string: Extract<HclPart, { kind: 'attribute' }> | undefined;
}

function scanToken(scan: Scan, token: HclToken): HclPart | undefined {
  switch (token.kind) {
    case 'newline':
      startStatement(scan);
      return undefined;
    case 'word':
      scan.words.push(token.text);
      return endPlainValue(scan);
    case 'string':
      return scanString(scan, token.text);
    case 'equals':
      scan.attribute = scan.attribute === undefined && scan.words.length === 1 ? scan.words[0] : '';
      return undefined;
    case 'open-block':
      return openBlock(scan);
    case 'operator':
    case 'open-list':
    case 'open-call': {
      const part = endPlainValue(scan);
      if (token.kind !== 'operator') scan.around.push('');
      return part;
    }
    case 'close-block':
      scan.around.pop();
      startStatement(scan);
      return undefined;
    case 'close-other':
      scan.around.pop();
      return undefined;
    case 'comma':
    case 'unknown':
      return undefined;
    case 'heredoc':
      return endPlainValue(scan);
  }
}

function openBlock(scan: Scan): HclPart {
  const type = scan.attribute === undefined ? (scan.words[0] ?? '') : '';
  const part = { kind: 'block', type, within: withinOf(scan) } as const;
  scan.around.push(type);
  startStatement(scan);
  return part;
}

function scanString(scan: Scan, text: string | undefined): HclPart | undefined {
  // A block's label, which is never the first word of a statement.
  scan.words.push('');
  const part = endPlainValue(scan);
  if (part === undefined || text === undefined) return part;
  scan.string = { ...part, kind: 'attribute', value: text };
  return undefined;
}

function endString(scan: Scan, isEnd: boolean): HclPart | undefined {
  const { string } = scan;
  scan.string = undefined;
  if (string === undefined || isEnd) return string;
  return { kind: 'expression', name: string.name, within: string.within };
}

/** A string that stands behind something else is part of an expression. */
function endPlainValue(scan: Scan): Extract<HclPart, { kind: 'expression' }> | undefined {
  const { attribute } = scan;
  if (attribute === undefined || attribute === '') return undefined;
  scan.attribute = '';
  return { kind: 'expression', name: attribute, within: withinOf(scan) };
}

function startStatement(scan: Scan): void {
  scan.words = [];
  scan.attribute = undefined;
}

function withinOf({ around }: Scan): string | undefined {
  return around.length === 1 ? around[0] : undefined;
}
