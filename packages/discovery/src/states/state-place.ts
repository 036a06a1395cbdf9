/** Where a `backend` or `cloud` block says that a state is, in a form in which two blocks with the same settings are equal. */
import { hclTokens, type HclToken } from '@nereid/hcl';

interface Settings {
  /** Those that tell one state from all others of a backend. Without one of them, the environment decides. */
  readonly telling: readonly string[];
  /** Those that may name another place besides. All others say how a state is read, locked or kept. */
  readonly besides: readonly string[];
}

const SETTINGS: ReadonlyMap<string, Settings> = new Map([
  [
    'azurerm',
    {
      telling: ['storage_account_name', 'container_name', 'key'],
      besides: ['environment', 'endpoint', 'metadata_host'],
    },
  ],
  ['cloud', { telling: ['organization', 'name'], besides: ['hostname', 'workspaces'] }],
  ['consul', { telling: ['address', 'path'], besides: ['scheme', 'datacenter'] }],
  ['cos', { telling: ['bucket', 'prefix'], besides: ['key', 'region', 'domain', 'endpoint'] }],
  ['gcs', { telling: ['bucket', 'prefix'], besides: ['storage_custom_endpoint'] }],
  ['http', { telling: ['address'], besides: [] }],
  [
    'kubernetes',
    {
      telling: ['secret_suffix', 'namespace', 'config_path', 'config_context'],
      besides: ['config_paths', 'config_context_cluster', 'host', 'in_cluster_config'],
    },
  ],
  ['local', { telling: ['path'], besides: ['workspace_dir'] }],
  ['oci', { telling: ['bucket', 'namespace', 'key', 'region'], besides: ['workspace_key_prefix'] }],
  ['oss', { telling: ['bucket', 'prefix'], besides: ['key', 'region', 'endpoint'] }],
  ['pg', { telling: ['conn_str', 'schema_name'], besides: ['table_name', 'index_name'] }],
  ['remote', { telling: ['organization', 'name'], besides: ['hostname', 'workspaces'] }],
  ['s3', { telling: ['bucket', 'key'], besides: ['region', 'endpoint', 'endpoints', 'workspace_key_prefix'] }],
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

/**
 * Undefined where not all of the settings that say so are plain. The same for JSON, which does not tell a block from an attribute.
 */
export function placeOfBlock({ type, body }: StateBlock): string | undefined {
  const settings = SETTINGS.get(type);
  if (settings === undefined) return undefined;
  const names = new Set([...settings.telling, ...settings.besides]);
  const saying = statementsOf(body).filter(([name]) => names.has(wordOf(name) ?? ''));
  const said = saying.flat();
  const named = new Set(said.flatMap((token, at) => (isSetting(said, at) ? [wordOf(token)] : [])));
  if (!said.every(isPlain) || !settings.telling.every((name) => named.has(name))) return undefined;
  if (type === 'local' && !hasAbsolutePath(said)) return undefined;
  return JSON.stringify([type, ...saying.map(textOf).toSorted()]);
}

/** The attributes and blocks of a body, each with its name first. */
function statementsOf(body: readonly HclToken[]): readonly (readonly [HclToken, ...HclToken[]])[] {
  const statements: [HclToken, ...HclToken[]][] = [];
  let depth = 0;
  for (const [at, token] of body.entries()) {
    const next = body[at + 1]?.kind;
    const isName = depth === 0 && token.kind === 'word' && (next === 'equals' || next === 'open-block');
    if (isName) statements.push([token]);
    else statements.at(-1)?.push(token);
    if (token.kind.startsWith('open')) depth += 1;
    if (token.kind.startsWith('close')) depth -= 1;
  }
  return statements;
}

/** The same for an attribute and for a block. */
function textOf(statement: readonly HclToken[]): string {
  const said = statement.filter(({ kind }) => kind !== 'equals' && kind !== 'comma');
  return JSON.stringify(said.map((token) => ('text' in token ? token.text : token.kind)));
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

/** Another one begins in the directory of each root. */
function hasAbsolutePath(said: readonly HclToken[]): boolean {
  const at = said.findIndex((token, index) => isSetting(said, index) && wordOf(token) === 'path');
  return wordOf(said[at + 2])?.startsWith('/') === true;
}

/** A name before a string. */
function isSetting(tokens: readonly HclToken[], at: number): boolean {
  return tokens[at]?.kind === 'word' && tokens[at + 1]?.kind === 'equals' && tokens[at + 2]?.kind === 'string';
}

function wordOf(token: HclToken | undefined): string | undefined {
  return token?.kind === 'word' || token?.kind === 'string' ? token.text : undefined;
}
