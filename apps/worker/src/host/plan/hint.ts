import type { Failure } from '@nereid/domain/host';

/** The limit of a failure. */
const LINES_LIMIT = 60;

/** The failure with what to do below it. */
export function withHint({ lines, ...failure }: Failure, hint: string): Failure {
  return { ...failure, lines: [...lines.slice(0, LINES_LIMIT - 2), '', hint] };
}
