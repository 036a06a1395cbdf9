/**
 * The files and folders that a configuration may name: everything in its strings that looks like a path. A word that is none
 * costs nothing, because no file has its name.
 */
import { defined } from '@nereid/domain/defined';
import { templateParts, unescaped, type TemplatePart } from '@nereid/hcl';

export interface NamedPaths {
  /** Behind `path.module`: relative to the directory of the file. */
  readonly besideModule: readonly string[];
  /** All others are relative to the directory in which Terraform runs, which is that of the root: those that stay in it, … */
  readonly staying: readonly string[];
  /** … and those that lead out of it. */
  readonly climbing: readonly string[];
  /** A path that only Terraform knows, as far as it can be shown: any file of the repository may be the one. */
  readonly computed?: string;
  /** What may read files that no string names. */
  readonly opaque?: string;
  /** Whether it goes through folders, so that everything in them counts. */
  readonly listsFolders?: true;
}

/** Collects paths. */
export interface PathCollector {
  addTemplate(raw: string): void;
  computed(what: string): void;
  opaque(what: string): void;
  listsFolders(): void;
  /** `modules`: sources of modules, which are no other paths. */
  paths(modules?: ReadonlySet<string>): NamedPaths;
}

/** Linux takes no longer path. */
const PATH_LIMIT = 4_096;

const OF_MODULE = '\u0001';
const OF_ROOT = '\u0002';

export function createPathCollector(): PathCollector {
  const besideModule = new Set<string>();
  const staying = new Set<string>();
  const climbing = new Set<string>();
  let computed: string | undefined;
  let opaque: string | undefined;
  let listsFolders = false;

  const add = (text: string) => {
    const path = text.replace(MARK_AT_START, '');
    if (path === '' || path.length > PATH_LIMIT || ANY_MARK.test(path)) return;
    if (text.startsWith(OF_MODULE)) besideModule.add(path);
    else if (text.startsWith(OF_ROOT) || mayBePath(path)) (WAY_UP.test(path) ? climbing : staying).add(path);
  };

  return {
    addTemplate(raw) {
      if (READINGS.some((read) => ANY_MARK.test(read(raw)))) opaque ??= shorten(raw);
      for (const { text, follows } of literalsOf(raw)) {
        if (WAY_UP.test(text) && (follows || isOnlyUp(text))) opaque ??= shorten(raw);
        if (!follows) add(text);
        if (SEPARATORS.test(text)) for (const word of text.split(SEPARATORS)) if (word.includes('/')) add(word);
      }
    },
    computed(what) {
      computed ??= shorten(what);
    },
    opaque(what) {
      opaque ??= shorten(what);
    },
    listsFolders() {
      listsFolders = true;
    },
    paths: (modules = new Set()) => ({
      besideModule: [...besideModule],
      staying: [...staying].filter((path) => !modules.has(path)),
      climbing: [...climbing].filter((path) => !modules.has(path)),
      ...defined({ computed, opaque }),
      ...(listsFolders && { listsFolders }),
    }),
  };
}

const MARK_AT_START = new RegExp(`^[${OF_MODULE}${OF_ROOT}]/*`);
const NO_MARK = new RegExp(`[^${OF_MODULE}${OF_ROOT}]+`, 'g');
const ANY_MARK = new RegExp(`[${OF_MODULE}${OF_ROOT}]`);

const WAY_UP = /(?:^|\/)\.\.(?:\/|$)/;

/** A part of a path that something puts together. */
function isOnlyUp(text: string): boolean {
  return text
    .replace(MARK_AT_START, '')
    .split('/')
    .every((segment) => /^\.{0,2}$/.test(segment));
}

function shorten(text: string): string {
  return text.slice(0, SHOWN);
}

/** Enough to find it in the file. */
const SHOWN = 100;

/** What stands between the words of a command. */
const SEPARATORS = /[\s"'`=,;:()<>|&]+/;

/** Numbers, addresses on the web and names of Amazon's are none, and the directory itself is no news. */
function mayBePath(text: string): boolean {
  if (/^(?:[/~]|arn:)/.test(text) || text.includes('://')) return false;
  if (/^[\d./]+$/.test(text)) return WAY_UP.test(text);
  return text.includes('/') || (text.includes('.') && !/\s/.test(text));
}

interface Literal {
  readonly text: string;
  /** Something that only Terraform knows stands before it. */
  readonly follows: boolean;
}

/**
 * The plain texts of a template, with marks for the directories of the module and of the root. A text before an expression is cut
 * to the folder that it names: what comes out of the expression lies in there.
 */
function literalsOf(raw: string): readonly Literal[] {
  const readings = raw.includes('\\') ? READINGS : READINGS.slice(0, 1);
  return readings.flatMap((read) => literalsIn(raw, read)).filter((one) => one.text !== '');
}

function literalsIn(raw: string, read: (text: string) => string): readonly Literal[] {
  if (!/[$%]\{/.test(raw)) return [{ text: read(raw), follows: false }];
  const found: Literal[] = [];
  let text = '';
  let follows = false;
  for (const part of templateParts(raw)) {
    const known = part.kind === 'text' ? read(part.text) : markOf(part);
    if (known !== undefined) text += known;
    else {
      found.push({ text: folderOf(text), follows });
      text = '';
      follows = true;
    }
  }
  return [...found, { text, follows }];
}

/** Whether a template says where its path leads, up to its end. */
export function isPlain(raw: string): boolean {
  return [...templateParts(raw)].every((part) => part.kind === 'text' || markOf(part) !== undefined);
}

/** Whether it says so up to a folder. */
export function hasPlainBeginning(raw: string): boolean {
  const [first] = templateParts(raw);
  return first !== undefined && (first.kind === 'text' || markOf(first) !== undefined);
}

function markOf({ text }: TemplatePart): string | undefined {
  const where = /^~?\s*path\.(module|root|cwd)\s*~?$/.exec(text)?.[1];
  if (where === undefined) return undefined;
  return where === 'module' ? OF_MODULE : OF_ROOT;
}

function folderOf(text: string): string {
  const slash = text.lastIndexOf('/');
  return slash === -1 ? text.replace(NO_MARK, '') : text.slice(0, slash + 1);
}

/** Heredocs and JSON have no escapes, strings have: whoever wants to hide a path may write its characters as numbers. */
const READINGS: readonly ((text: string) => string)[] = [
  (text) => normalized(withoutEscapedTemplates(text)),
  (text) => normalized(withoutEscapedTemplates(unescaped(text) ?? text)),
];

function withoutEscapedTemplates(text: string): string {
  return text.replaceAll(/([$%])\1\{/g, '$1{');
}

/** As Terraform does it. Longer texts are no paths, and take long. */
function normalized(text: string): string {
  return text.length > PATH_LIMIT ? text : text.normalize('NFC');
}
