import { hclTokens, type HclToken } from './hcl-tokens.ts';

/** `within` is the type of the block around it; undefined unless that is one block at the top of the file. */
export type HclPart =
  | { readonly kind: 'block'; readonly type: string; readonly within: string | undefined }
  /** Attributes whose value begins with a string without expressions. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string; readonly within: string | undefined }
  /** Attributes whose value Terraform evaluates. */
  | { readonly kind: 'expression'; readonly name: string; readonly within: string | undefined };

/** The blocks and attributes of a file, in its order. Invalid text is skipped. */
export function* scanHcl(text: string): Generator<HclPart> {
  const scan: Scan = { around: [], words: [], attribute: undefined };
  for (const token of hclTokens(text)) {
    const part = take(scan, token);
    if (part !== undefined) yield part;
  }
}

interface Scan {
  /** The types of the blocks around this place; '' stands for any other bracket. */
  readonly around: string[];
  /** The words at the beginning of the statement: a block's type and labels, or an attribute's name. */
  words: string[];
  /** The attribute whose value follows; '' when its name is not plain, or its value has begun. */
  attribute: string | undefined;
}

function take(scan: Scan, token: HclToken): HclPart | undefined {
  switch (token.kind) {
    case 'newline':
      startStatement(scan);
      return undefined;
    case 'word':
      scan.words.push(token.text);
      return endPlainValue(scan);
    case 'string':
      return takeString(scan, token.text);
    case 'equals':
      scan.attribute = scan.attribute === undefined && scan.words.length === 1 ? scan.words[0] : '';
      return undefined;
    case 'open-block':
      return openBlock(scan);
    case 'open-list':
    case 'open-call': {
      const part = endPlainValue(scan);
      scan.around.push('');
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
    case 'heredoc':
      return undefined;
  }
}

function openBlock(scan: Scan): HclPart {
  const type = scan.attribute === undefined ? (scan.words[0] ?? '') : '';
  const part = { kind: 'block', type, within: withinOf(scan) } as const;
  scan.around.push(type);
  startStatement(scan);
  return part;
}

function takeString(scan: Scan, text: string | undefined): HclPart | undefined {
  // A block's label, which is never the first word of a statement.
  scan.words.push('');
  const part = endPlainValue(scan);
  return part && text !== undefined ? { ...part, kind: 'attribute', value: text } : part;
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
