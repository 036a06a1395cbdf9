/**
 * Finds the paths that a text in Terraform's language names: all its strings, also those inside of templates and heredocs, and the
 * arguments of functions that read files.
 */
import { templateParts, type HclToken } from '@nereid/hcl';
import { isEnd, readExpression, shownFrom, type Expression } from './expression.ts';
import { hasPlainBeginning, isPlain, type PathCollector } from './named-paths.ts';

/** Templates within templates; people write two. */
const DEPTH_LIMIT = 8;

export function collectPaths(text: string, collector: PathCollector, depth = 0): void {
  if (depth > DEPTH_LIMIT) {
    collector.computed('templates in templates');
    return;
  }
  const expression = readExpression(text, depth === 0);
  if (!expression.isBalanced && depth === 0) collector.computed('brackets that do not match');
  for (const [at, token] of expression.tokens.entries()) {
    if (token.kind === 'unknown') collector.computed('text that is not of its language');
    if (token.kind === 'word') judgeWord(token.text, expression, at, collector);
    if (token.kind === 'string' || token.kind === 'heredoc') collectFromTemplate(token.raw, collector, depth);
    judgeValue(expression, at, collector);
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

const KEEPING = new Set(['abspath', 'pathexpand']);

/** Attributes that are paths as a rule, of whichever provider. */
const PATH_NAME = /(?:^|_)(?:file|filename|dir|directory|path|folder|source|src|chart|template|package)$/;

const CONSTANT = /^(?:true|false|null|\d.*)$/;

function judgeWord(word: string, expression: Expression, at: number, collector: PathCollector): void {
  const [next, second, third] = expression.tokens.slice(at + 1, at + 4);
  if (next?.kind === 'open-call') {
    if (READING.has(word)) judgeArgument(word, expression, at + 2, collector);
    if (word === 'fileset' || word === 'dirname') collector.opaque(`${word}(…)`);
    if (word === 'fileset') collector.listsFolders();
  }
  if (word === 'provider' && isOperator(next, ':') && isOperator(second, ':'))
    judgeProviderCall(expression, at, collector);
  const label = textOf(next);
  const isProvisioner = word === 'provisioner' && isLabel(next) && second?.kind === 'open-block';
  const isProgram = word === 'data' && label === 'external' && (isLabel(second) || third?.kind === 'open-block');
  if (isProvisioner || isProgram) collector.opaque(`${word} "${label ?? ''}"`);
}

/** Functions of providers may read what their arguments say. */
function judgeProviderCall(expression: Expression, at: number, collector: PathCollector): void {
  const { tokens, closes } = expression;
  // `provider::name::function(`
  const open = at + 7;
  const close = tokens[open]?.kind === 'open-call' ? closes.get(open) : undefined;
  if (close === undefined || !arePlain(expression, open + 1, close)) collector.opaque(`${shownFrom(tokens, at)}…`);
}

/** What follows the name of an attribute that is a path as a rule. */
function judgeValue(expression: Expression, at: number, collector: PathCollector): void {
  const { tokens } = expression;
  const name = textOf(tokens[at]);
  if (name === undefined || !PATH_NAME.test(name) || !isName(tokens, at)) return;
  const value = tokens[at + 2];
  if (value?.kind === 'word' && value.text === 'path') collector.listsFolders();
  const end = endOfPlain(expression, at + 2);
  if (end !== undefined && isEnd(tokens[end])) return;
  collector.opaque(`${name} = ${value?.kind === 'string' ? `"${value.raw}"` : `${shownFrom(tokens, at + 2)}…`}`);
}

/** `name =` of attributes and objects, or `name :` of objects, where a `?` may not have come before. */
function isName(tokens: readonly HclToken[], at: number): boolean {
  if (tokens[at + 1]?.kind === 'equals') return tokens[at + 2]?.kind !== 'equals';
  const before = tokens[at - 1]?.kind;
  const isFirst = before === 'newline' || before === 'comma' || before === 'open-block';
  return isFirst && isOperator(tokens[at + 1], ':') && !isOperator(tokens[at + 2], ':');
}

/** The place behind a value that needs no evaluation, or whose parts are judged themselves. */
function endOfPlain({ tokens, closes }: Expression, at: number): number | undefined {
  const value = tokens[at];
  const behind = (open: number) => (closes.get(open) ?? tokens.length) + 1;
  switch (value?.kind) {
    case 'string':
    case 'heredoc':
      return isPlain(value.raw) ? at + 1 : undefined;
    case 'open-block':
      return behind(at);
    case 'open-list':
      return arePlain({ tokens, closes }, at + 1, behind(at) - 1) ? behind(at) : undefined;
    case 'operator':
      return isOperator(value, '-') && isPlainWord(tokens[at + 1]) ? at + 2 : undefined;
    case 'word':
      if (isPlainWord(value)) return at + 1;
      if (isDirectory(tokens, at)) return at + 3;
      return READING.has(value.text) && tokens[at + 1]?.kind === 'open-call' ? behind(at + 1) : undefined;
    default:
      return undefined;
  }
}

/** Objects are no paths; what is in them is judged itself. */
function arePlain({ tokens, closes }: Pick<Expression, 'tokens' | 'closes'>, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    const isSeparator = token?.kind === 'comma' || token?.kind === 'newline';
    if (token?.kind === 'open-block') at = closes.get(at) ?? to;
    else if (!isSeparator && !isPlainWord(token) && !(token?.kind === 'string' && isPlain(token.raw))) return false;
  }
  return true;
}

function isPlainWord(token: HclToken | undefined): boolean {
  return token?.kind === 'word' && CONSTANT.test(token.text);
}

/** An attribute that is a path as a rule, with a template for its value. */
export function judgeAttribute(name: string, raw: string, collector: PathCollector): void {
  if (PATH_NAME.test(name) && !isPlain(raw)) collector.opaque(`${name} = "${raw}"`);
}

/** The path must be one string whose beginning is plain, the directory of a module, or a function that keeps a path and is judged itself. */
function judgeArgument(called: string, { tokens, closes }: Expression, at: number, collector: PathCollector): void {
  const first = tokens[at];
  if (first?.kind === 'string' && isEnd(tokens[at + 1])) {
    if (first.text === undefined && !isPlain(first.raw)) collector.opaque(first.raw);
    if (!hasPlainBeginning(first.raw)) collector.computed(`${called}("${first.raw}")`);
    return;
  }
  const isKept = first?.kind === 'word' && KEEPING.has(first.text) && tokens[at + 1]?.kind === 'open-call';
  const end = isKept ? (closes.get(at + 1) ?? tokens.length) + 1 : isDirectory(tokens, at) ? at + 3 : undefined;
  if (end === undefined || !isEnd(tokens[end])) collector.computed(`${called}(${shownFrom(tokens, at)}…)`);
}

/** `path.module` and its like. */
function isDirectory(tokens: readonly HclToken[], at: number): boolean {
  const [first, dot, second] = tokens.slice(at, at + 3);
  return textOf(first) === 'path' && isOperator(dot, '.') && DIRECTORIES.has(textOf(second) ?? '');
}

const DIRECTORIES = new Set(['module', 'root', 'cwd']);

function isLabel(token: HclToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'string';
}

function isOperator(token: HclToken | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}

function textOf(token: HclToken | undefined): string | undefined {
  return token?.kind === 'word' || token?.kind === 'string' ? token.text : undefined;
}
