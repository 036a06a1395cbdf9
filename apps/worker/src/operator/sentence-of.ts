import { isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';

/** The sentence that an operator reads about an error; undefined for a bug, of which they read everything. */
export function sentenceOf(error: unknown): string | undefined {
  const answer = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(answer))
    return `expected an answer of Temporal, found: ${answer.details}; see whether it runs, and whether this machine reaches it`;
  if (error instanceof WorkflowNotFoundError)
    return 'expected a lane that runs, found that it has just ended; look at its status, and try again';
  return isOurs(error) ? error.message : undefined;
}

/** Each class of ours names itself, has a code, and says what was expected and what was found. */
function isOurs(error: unknown): error is Error {
  return error instanceof Error && Object.hasOwn(error, 'name') && 'code' in error && typeof error.code === 'string';
}
