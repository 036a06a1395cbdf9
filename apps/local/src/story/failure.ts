/** A step of the story did not end as it should. */
export class StoryStepError extends Error {
  override readonly name = 'StoryStepError';
  readonly code = 'STORY_STEP_FAILED';
  readonly step: string;

  constructor(step: string, options: ErrorOptions & { readonly cause: unknown }) {
    const { cause } = options;
    super(`"${step}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, options);
    this.step = step;
  }
}

/** The error for a finding that differs from the story. Its message says what was expected and what was found. */
export function expected(what: string, found: unknown): Error {
  return new Error(`expected ${what}, found ${typeof found === 'string' ? found : JSON.stringify(found)}`);
}
