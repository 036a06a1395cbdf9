/**
 * Reads `terraform { required_version = "…" }` of a root without running Terraform, because it decides which binary may run.
 *
 * A small scanner, not a parser: it knows strings, comments, heredocs and braces, because these can hide or fake the
 * attribute. Unreadable text counts as no constraint, and Terraform itself then says what is wrong.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Hand-written files have kilobytes. Larger files are generated and hold no settings; reading them all would cost time. */
const FILE_LIMIT_BYTES = 1024 * 1024;

/** The constraints of all files of a root, joined by commas; undefined when there is none. */
export async function readRequiredVersion(rootDir: string): Promise<string | undefined> {
  const files = (await readdir(rootDir)).filter((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name)).sort();
  const found = await Promise.all(files.map((name) => readFrom(path.join(rootDir, name))));
  const constraints = found.flat();
  return constraints.length === 0 ? undefined : constraints.join(', ');
}

async function readFrom(file: string): Promise<readonly string[]> {
  const found = await stat(file);
  // A link may lead to a device or a file of /proc, which has no size and no end.
  if (!found.isFile() || found.size === 0 || found.size > FILE_LIMIT_BYTES) return [];
  const text = await readFile(file, 'utf8');
  return file.endsWith('.json') ? constraintsOfJson(text) : constraintsOf(text);
}

/** The `required_version` of each top-level `terraform` block. */
export function constraintsOf(hcl: string): readonly string[] {
  const constraints: string[] = [];
  const open: string[] = [];
  let line = '';
  for (const token of tokens(hcl)) {
    if (token === '{') open.push(line.trim());
    else if (token === '}') open.pop();
    if (token === '\n' || token === '{' || token === '}') {
      const constraint = open.length === 1 && open[0] === 'terraform' ? requiredVersionIn(line) : undefined;
      if (constraint !== undefined) constraints.push(constraint);
      line = '';
    } else {
      line += token;
    }
  }
  return constraints;
}

function requiredVersionIn(line: string): string | undefined {
  return /^\s*required_version\s*=\s*"(?<constraint>[^"\\$%]*)"\s*$/.exec(line)?.groups?.['constraint'];
}

/** Strings, braces, line breaks and the rest; comments and heredocs are left out. */
function* tokens(hcl: string): Generator<string> {
  const token =
    /(?<comment>#[^\n]*|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<heredoc><<-?(?<tag>[\p{L}_][\p{L}\p{N}_-]*)\r?\n[^]*?(?:\n[ \t]*\k<tag>(?=\r?\n|$)|$(?![^])))|"(?:[^"\\\n]|\\.)*"|[{}\n]|[^{}\n"#/<]+|[^]/gu;
  for (const match of hcl.matchAll(token)) {
    if (match.groups?.['comment'] === undefined && match.groups?.['heredoc'] === undefined) yield match[0];
  }
}

function constraintsOfJson(text: string): readonly string[] {
  const found: string[] = [];
  try {
    const parsed: unknown = JSON.parse(text);
    const blocks = [propertyOf(parsed, 'terraform')].flat();
    for (const block of blocks) {
      const constraint = propertyOf(block, 'required_version');
      if (typeof constraint === 'string') found.push(constraint);
    }
  } catch {
    // Terraform reads the file next, and tells the author the line and the column.
  }
  return found;
}

function propertyOf(value: unknown, key: string): unknown {
  // Own properties only: the document may well have a key named like one of Object.prototype.
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
