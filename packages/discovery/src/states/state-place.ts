/** Where a `backend` or `cloud` block says that a state is, in a form in which two blocks with the same settings are equal. */
import { hclTokens, type HclToken } from '@nereid/hcl';

/**
 * The settings that tell one state from all others of a backend. Other backends, such as "pg" and "consul", take what tells them from
 * the environment.
 */
const TELLING: ReadonlyMap<string, readonly string[]> = new Map([
  ['azurerm', ['storage_account_name', 'container_name', 'key']],
  ['cloud', ['organization', 'name']],
  ['gcs', ['bucket', 'prefix']],
  ['http', ['address']],
  ['remote', ['organization', 'name']],
  ['s3', ['bucket', 'key']],
]);

/** Undefined where the file has no such block, or where not all of its settings are plain. */
export function statePlaceOf(text: string): string | undefined {
  const tokens = [...hclTokens(text)].filter(({ kind }) => kind !== 'newline');
  const block = findBlock(tokens);
  return block && placeOfBlock(block);
}

/** A `backend` or `cloud` block. */
export interface StateBlock {
  /** Of the backend; `cloud` for the other block. */
  readonly type: string;
  /** Without newlines. */
  readonly body: readonly HclToken[];
}

/** Undefined where not all of its settings are plain. The same for JSON, which does not tell a block from an attribute. */
export function placeOfBlock({ type, body }: StateBlock): string | undefined {
  const telling = TELLING.get(type);
  if (telling === undefined || !body.every(isPlain)) return undefined;
  const named = new Set(body.flatMap((token, at) => (isSetting(body, at) ? [wordOf(token)] : [])));
  if (!telling.every((name) => named.has(name))) return undefined;
  const said = body.filter(({ kind }) => kind !== 'equals' && kind !== 'comma');
  return JSON.stringify([type, ...said.map((token) => ('text' in token ? token.text : token.kind))]);
}

/** Directly within a `terraform` block at the top. */
function findBlock(tokens: readonly HclToken[]): StateBlock | undefined {
  const around: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind.startsWith('close')) around.pop();
    if (!token.kind.startsWith('open')) continue;
    const { type, keyword } = headOf(tokens, at);
    if (around.join() === 'terraform' && keyword !== undefined)
      return { type, body: tokens.slice(at + 1, endOf(tokens, at)) };
    around.push(token.kind === 'open-block' ? type : '');
  }
  return undefined;
}

/** `backend "s3" {`, `cloud {`, `terraform {`. */
function headOf(tokens: readonly HclToken[], open: number): { readonly type: string; readonly keyword?: string } {
  const [before, last] = [wordOf(tokens[open - 2]), wordOf(tokens[open - 1])];
  if (before === 'backend') return { type: last ?? '', keyword: before };
  if (last === 'cloud') return { type: last, keyword: last };
  return { type: last ?? '' };
}

function endOf(tokens: readonly HclToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const kind = tokens[at]?.kind ?? '';
    if (kind.startsWith('open')) depth += 1;
    else if (kind.startsWith('close')) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Expressions, and texts that only Terraform knows, are not. */
function isPlain(token: HclToken): boolean {
  switch (token.kind) {
    case 'operator':
    case 'open-call':
    case 'heredoc':
    case 'unknown':
      return false;
    case 'string':
      return token.text !== undefined;
    default:
      return true;
  }
}

/** A name before a string. */
function isSetting(tokens: readonly HclToken[], at: number): boolean {
  return tokens[at]?.kind === 'word' && tokens[at + 1]?.kind === 'equals' && tokens[at + 2]?.kind === 'string';
}

function wordOf(token: HclToken | undefined): string | undefined {
  return token?.kind === 'word' || token?.kind === 'string' ? token.text : undefined;
}
