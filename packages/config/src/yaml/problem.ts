/** Something in a configuration that a person has to fix: expected, found, what to do. */
export interface Problem extends Place {
  readonly message: string;
}

export interface Place {
  /** Only where a configuration has several files: the one in which it stands. */
  readonly file?: string;
  /** `roots[2].dir` in a file, a variable's name in the environment; empty for the file as a whole. */
  readonly path: string;
  /** Counted from 1, like `column`; absent for the environment. */
  readonly line?: number;
  readonly column?: number;
}

export type Path = readonly (string | number)[];

/** `nereid.yaml:12:5 roots[2].dir: expected …`: one line, clickable in an editor. */
export function formatProblem(problem: Problem, fileName?: string): string {
  const position = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const { file = fileName } = problem;
  const place = file === undefined ? '' : `${printable(file)}${position} `;
  return `${place}${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`;
}

/** In the order of the file; problems without a place come first, and those of several files file by file. */
export function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  const byFile = [...Map.groupBy(problems, ({ file }) => file).values()];
  return byFile.flatMap((own) =>
    own.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  );
}

/** `roots[2]`, or `roots[2] of roots/network.yaml`. */
export function describePlace({ path, file }: Place): string {
  return file === undefined ? path : `${path} of ${printable(file)}`;
}

/** Turns `['roots', 2, 'dir']` into `roots[2].dir`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const key = /^[\w*?-]+$/.test(part) ? part : quote(part);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** Describes a value, short and on one line: configurations may come from strangers. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'an empty value';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  return JSON.stringify(value);
}

/** Long enough to recognise a value, short enough for a line of a check run. */
const QUOTE_LIMIT = 60;

/** Cuts a text and puts it in double quotes, on one line: control characters cannot reach a terminal or a check run. */
export function quote(text: string): string {
  const cut = text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text;
  return printable(JSON.stringify(cut));
}

/** Puts a text on one line, without characters that move a cursor or change the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
