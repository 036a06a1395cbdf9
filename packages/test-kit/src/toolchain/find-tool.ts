import { ToolNotFoundError } from './errors.ts';
import type { Report } from './report.ts';

/** One way to get a program. It returns the program's path, or says why the program is not available this way. */
export interface Way {
  readonly title: string;
  attempt(): Promise<Attempt>;
}

export type Attempt =
  | { readonly kind: 'found'; readonly path: string; readonly what: string }
  /** `isAbsent`: nobody put it there, which is as usual. */
  | { readonly kind: 'not-found'; readonly why: string; readonly isAbsent?: true };

export interface ToolSearch {
  readonly tool: string;
  readonly ways: readonly Way[];
  /** Tells a person how to get the tool when nothing worked. */
  readonly advice: string;
  readonly report: Report;
  /** Ends the search early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Tries the ways in order, and reports what was there but does not serve. The error has the reasons of all ways. */
export async function findTool({ tool, ways, advice, report, signal }: ToolSearch): Promise<string> {
  const reasons: string[] = [];
  for (const way of ways) {
    const attempt = await attemptOf(way);
    signal?.throwIfAborted();
    if (attempt.kind === 'found') {
      report(`${tool}: ${attempt.what} (${attempt.path})`);
      return attempt.path;
    }
    reasons.push(`${way.title}: ${attempt.why}`);
    if (!attempt.isAbsent) report(`${tool}: not from ${way.title}: ${attempt.why}`);
  }
  throw new ToolNotFoundError(tool, reasons, advice);
}

async function attemptOf(way: Way): Promise<Attempt> {
  try {
    return await way.attempt();
  } catch (error) {
    return { kind: 'not-found', why: error instanceof Error ? error.message : String(error) };
  }
}
