import { z } from 'zod';

/** The findings of a policy. `denials` has the reason when it could not be evaluated. */
export interface PolicyFinding {
  readonly verdict: 'passed' | 'denied' | 'error';
  readonly denials: readonly string[];
  readonly warnings: readonly string[];
}

/** A rule may return anything; conftest refuses what has no text. */
const Messages = z
  .array(z.object({ msg: z.string() }))
  .default([])
  .transform((all) => all.map(({ msg }) => msg));

const Output = z.array(
  z.object({
    successes: z.int().min(0).default(0),
    warnings: Messages,
    failures: Messages,
    exceptions: Messages,
  }),
);

/** Reads what `conftest test --output json` printed before it ended with this exit code; undefined when it is no result. */
export function readConftestOutput(text: string, exitCode: number): PolicyFinding | undefined {
  const results = parse(text);
  if (results === undefined) return undefined;
  const denials = results.flatMap(({ failures }) => failures);
  const warnings = results.flatMap(({ warnings: own }) => own);
  const judged = results.reduce((sum, { successes, exceptions }) => sum + successes + exceptions.length, 0);
  if (denials.length > 0) return { verdict: 'denied', denials, warnings };
  // It says otherwise than it prints.
  if (exitCode !== 0) return undefined;
  // A misspelt namespace or rule would let everything pass.
  if (judged + warnings.length === 0)
    return failed('no rule called deny, violation or warn was found in its namespaces');
  return { verdict: 'passed', denials, warnings };
}

export function failed(why: string): PolicyFinding {
  return { verdict: 'error', denials: [`it could not be evaluated: ${why}`], warnings: [] };
}

function parse(text: string): z.infer<typeof Output> | undefined {
  try {
    return Output.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
