import type { IntakeResult } from '@nereid/domain/intake';

/** A result travels through Temporal, and nobody reads thousands of ids. */
const WORKFLOWS_LIMIT = 500;

/** Lanes or a terraform workflow were signalled. */
export function signalled(sentence: string, workflows: readonly string[]): IntakeResult {
  return { kind: 'signalled', sentence, workflows: workflows.slice(0, WORKFLOWS_LIMIT) };
}

/** A person was told why. */
export function refused(sentence: string): IntakeResult {
  return { kind: 'refused', sentence, workflows: [] };
}

/** There was nothing to do. */
export function nothing(sentence: string): IntakeResult {
  return { kind: 'nothing', sentence, workflows: [] };
}

/** The repository is not, or no longer, in the server's configuration. */
export const NOT_ALLOWED = nothing('the repository is not allowed by the server');
