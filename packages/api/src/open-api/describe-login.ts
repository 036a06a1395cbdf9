/** Describes an operation that logs somebody in or out. */
import type { LoginOperation } from '../logins.ts';
import type { DescribedOperation } from './document.ts';
import { referenceTo } from './json-schemas.ts';
import { problemsOf } from './problems.ts';

export function describeLogin(operationId: string, operation: LoginOperation): DescribedOperation {
  const { summary, body, answer, problems } = operation;
  return {
    operationId,
    summary,
    parameters: [],
    // What may be empty may be left out.
    requestBody: {
      required: !body.safeParse({}).success,
      content: { 'application/json': { schema: referenceTo(body) } },
    },
    responses: {
      200: { description: 'It succeeded.', content: { 'application/json': { schema: referenceTo(answer) } } },
      ...problemsOf([400, ...problems, 413, 415, 429, 503]),
    },
  };
}
