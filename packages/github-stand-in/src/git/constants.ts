/** Answers of git that stay as they are, because nothing but ids of objects was asked about: no branch, and no point in time. */

const ABOUT_OBJECTS: ReadonlySet<string> = new Set([
  'diff',
  'diff-tree',
  'log',
  'merge-base',
  'merge-tree',
  'rev-list',
]);

/** One id, or two with dots between them. */
const IDS = /^[0-9a-f]{40}(?:\.{2,3}[0-9a-f]{40})?$/;

/** Enough for the pull requests of a demo or a test: together at most 30 MB. */
const LIMIT = { answers: 500, bytes: 64 * 1024 };

/** Whether git answers this the same at any time. Objects are never removed here. */
export function isConstant([command = '', ...args]: readonly string[], input: string | Buffer = ''): boolean {
  if (!ABOUT_OBJECTS.has(command)) return false;
  const asked = [...args, ...input.toString().split('\n')].filter((arg) => arg !== '' && !arg.startsWith('-'));
  return asked.length > 0 && asked.every((arg) => IDS.test(arg));
}

export interface Constants<Answer> {
  /** What was answered to this before, or else what `ask` answers. */
  get(question: string, ask: () => Promise<Answer>): Promise<Answer>;
}

/** Keeps the newest answers. Failures and long answers are not kept. */
export function createConstants<Answer>(bytesOf: (answer: Answer) => number): Constants<Answer> {
  const kept = new Map<string, Promise<Answer>>();

  async function askAndKeep(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask();
    kept.set(question, answer);
    const [oldest] = kept.keys();
    if (kept.size > LIMIT.answers && oldest !== undefined) kept.delete(oldest);
    try {
      if (bytesOf(await answer) > LIMIT.bytes) kept.delete(question);
    } catch {
      kept.delete(question);
    }
    return answer;
  }

  return { get: async (question, ask) => kept.get(question) ?? askAndKeep(question, ask) };
}
