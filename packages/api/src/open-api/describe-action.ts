/** Describes an operation that changes something. */
import type { ActionOperation } from '../actions.ts';
import { RequestAnswer } from '../requests.ts';
import type { DescribedAnswer, DescribedOperation, Parameter } from './document.ts';
import { referenceTo } from './json-schemas.ts';
import { problemsOf } from './problems.ts';

/** `parameters` are those of its path and its query. */
export function describeAction(
  operationId: string,
  { summary, body }: ActionOperation,
  parameters: readonly Parameter[],
): DescribedOperation {
  return {
    operationId,
    summary,
    parameters: [...parameters, IDEMPOTENCY_KEY],
    // What may be empty may be left out.
    requestBody: {
      required: !body.safeParse({}).success,
      content: { 'application/json': { schema: referenceTo(body) } },
    },
    responses: {
      200: answerOf('The action was carried out, or has begun.'),
      202: answerOf('The request has no answer yet: ask for it with `getRequest`.'),
      ...problemsOf([400, 401, 403, 404, 409, 413, 415, 422, 429, 503]),
    },
  };
}

function answerOf(description: string): DescribedAnswer {
  return { description, content: { 'application/json': { schema: referenceTo(RequestAnswer) } } };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A name for this request, chosen by the client: requests with the same name are carried out once.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
};
