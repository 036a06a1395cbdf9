/**
 * Finds the paths that a text in Terraform's language names: all its strings, also those inside of templates and heredocs, and the
 * arguments of functions that read files.
 */
import { hclTokens, templateParts, type HclToken } from '@nereid/hcl';
import { hasPlainBeginning, isPlain, type PathCollector } from './named-paths.ts';

/** Templates within templates; people write two. */
const DEPTH_LIMIT = 8;

export function collectPaths(text: string, collector: PathCollector, depth = 0): void {
  if (depth > DEPTH_LIMIT) {
    collector.computed('templates in templates');
    return;
  }
  const tokens = [...hclTokens(text)];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'word') judgeWord(token.text, tokens, at, collector);
    else if (token.kind === 'string' || token.kind === 'heredoc') collectFromTemplate(token.raw, collector, depth);
  }
}

/** A string between its quotes, or as JSON has it. */
export function collectFromTemplate(raw: string, collector: PathCollector, depth = 0): void {
  collector.addTemplate(raw);
  if (!/[$%]\{/.test(raw)) return;
  for (const part of templateParts(raw)) if (part.kind === 'expression') collectPaths(part.text, collector, depth + 1);
}

const READING = new Set([
  'file',
  'filebase64',
  'filebase64sha256',
  'filebase64sha512',
  'fileexists',
  'filemd5',
  'fileset',
  'filesha1',
  'filesha256',
  'filesha512',
  'templatefile',
  // What they make of a path leads to the same file.
  'abspath',
  'pathexpand',
]);

/** Attributes that are paths as a rule, of whichever provider. */
const PATH_NAME = /(?:^|_)(?:file|filename|dir|directory|path|folder|source|src|chart|template|package)$/;

const CONSTANT = /^(?:true|false|null|[\d-]+)$/;

function judgeWord(word: string, tokens: readonly HclToken[], at: number, collector: PathCollector): void {
  const [next, value, behind] = tokens.slice(at + 1, at + 4);
  if (next?.kind === 'open-call') {
    if (READING.has(word)) judgeArgument(word, tokens.slice(at + 2, at + 6), collector);
    if (word === 'fileset' || word === 'dirname') collector.opaque(`${word}(…)`);
    if (word === 'fileset') collector.listsFolders();
  }
  if (next?.kind === 'equals' && value?.kind === 'string') judgeAttribute(word, value.raw, collector);
  if (next?.kind === 'equals' && value?.kind === 'word' && PATH_NAME.test(word)) {
    const isCall = behind?.kind === 'open-call' && READING.has(value.text);
    if (value.text === 'path') collector.listsFolders();
    else if (!isCall && !CONSTANT.test(value.text)) collector.opaque(`${word} = ${value.text}…`);
  }
  if (next?.kind === 'string' && (word === 'provisioner' || (word === 'data' && next.text === 'external')))
    collector.opaque(`${word} "${next.raw}"`);
}

/** An attribute that is a path as a rule, with a template for its value. */
export function judgeAttribute(name: string, raw: string, collector: PathCollector): void {
  if (PATH_NAME.test(name) && !isPlain(raw)) collector.opaque(`${name} = "${raw}"`);
}

/** The path must be one string whose beginning is plain, the directory of a module, or another function that is judged itself. */
function judgeArgument(called: string, [first, second, third, fourth]: readonly HclToken[], collector: PathCollector) {
  if (first?.kind === 'string' && isEnd(second)) {
    if (first.text === undefined && !isPlain(first.raw)) collector.opaque(first.raw);
    if (!hasPlainBeginning(first.raw)) collector.computed(`${called}("${first.raw}")`);
    return;
  }
  if (first?.kind !== 'word') {
    collector.computed(`${called}(…)`);
    return;
  }
  const isDirectory = first.text === 'path' && second?.kind === 'word' && DIRECTORIES.has(second.text) && isEnd(third);
  const isJudged = READING.has(first.text) && second?.kind === 'open-call';
  if (!isDirectory && !isJudged)
    collector.computed(`${called}(${[first, second, third, fourth].flatMap((one) => textOf(one)).join('.')}…)`);
}

const DIRECTORIES = new Set(['module', 'root', 'cwd']);

function isEnd(token: HclToken | undefined): boolean {
  return token?.kind === 'comma' || token?.kind === 'close-other';
}

function textOf(token: HclToken | undefined): readonly string[] {
  return token?.kind === 'word' ? [token.text] : [];
}
