/** The tokens of a file or of an expression within a template, as Terraform reads them: without the newlines that it skips. */
import { hclTokens, type HclToken } from '@nereid/hcl';

export interface Expression {
  readonly tokens: readonly HclToken[];
  /** For the place of each opening bracket, that of its closing one. */
  readonly closes: ReadonlyMap<number, number>;
  /** Whether every bracket is closed by one of its kind. */
  readonly isBalanced: boolean;
}

interface Opened {
  readonly at: number;
  readonly closedBy: HclToken['kind'] | undefined;
  keepsNewlines: boolean;
  isEmpty: boolean;
}

/** Newlines mean something between braces, except those of a `for`, and at the top of a file. */
export function readExpression(text: string, isFile: boolean): Expression {
  const tokens: HclToken[] = [];
  const closes = new Map<number, number>();
  const opened: Opened[] = [];
  let around: Opened = { at: -1, closedBy: undefined, keepsNewlines: isFile, isEmpty: true };
  let isBalanced = true;
  for (const token of hclTokens(text)) {
    const { kind } = token;
    if (kind === 'newline' && !around.keepsNewlines) continue;
    if (kind === 'word' && token.text === 'for' && around.isEmpty && opened.length > 0) around.keepsNewlines = false;
    if (kind !== 'newline') around.isEmpty = false;
    if (kind === 'open-block' || kind === 'open-list' || kind === 'open-call') {
      opened.push(around);
      const isBlock = kind === 'open-block';
      const closedBy = isBlock ? 'close-block' : 'close-other';
      around = { at: tokens.length, closedBy, keepsNewlines: isBlock, isEmpty: true };
    } else if (kind === 'close-block' || kind === 'close-other') {
      isBalanced &&= kind === around.closedBy;
      closes.set(around.at, tokens.length);
      around = opened.pop() ?? around;
    }
    tokens.push(token);
  }
  return { tokens, closes, isBalanced: isBalanced && opened.length === 0 };
}

/** Whether a value ends before this token. */
export function isEnd(token: HclToken | undefined): boolean {
  return token === undefined || ENDS.has(token.kind);
}

const ENDS: ReadonlySet<HclToken['kind']> = new Set(['newline', 'comma', 'close-block', 'close-other']);

/** The words and operators from here on, for people. */
export function shownFrom(tokens: readonly HclToken[], at: number): string {
  return tokens
    .slice(at, at + SHOWN)
    .map((token) => ('text' in token && token.kind !== 'string' ? token.text : ''))
    .join('');
}

const SHOWN = 5;
