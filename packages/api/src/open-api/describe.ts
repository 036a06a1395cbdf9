/** Describes operations as OpenAPI does. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ActionOperation } from '../actions.ts';
import type { LoginOperation } from '../logins.ts';
import type { Operation } from '../operations.ts';
import { Problem, PROBLEMS, type ProblemStatus } from '../problem.ts';
import { RequestAnswer } from '../requests.ts';

export function describeRead(operationId: string, operation: Operation): ZodOpenApiOperationObject {
  const { summary, description, parameters, query, answer, media = 'application/json', mayWait = false } = operation;
  const isStream = media === 'text/event-stream';
  const content = { [media]: isStream ? { itemSchema: answer } : { schema: answer } };
  // Any part of an address may be badly encoded.
  const hasParts = parameters !== undefined || Object.keys(query.shape).length > 0;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    requestParams: { ...(parameters && { path: parameters }), query, ...(isStream && { header: FROM_EVENT }) },
    responses: {
      200: { description: 'It succeeded.', content },
      ...(mayWait && { 202: { description: 'It is under way: ask again.', content } }),
      ...problemsOf([...(hasParts ? [400 as const] : []), 401, 403, 404, ...(mayWait ? [409 as const] : []), 429, 503]),
    },
  };
}

export function describeAction(
  operationId: string,
  { summary, parameters, query, body }: ActionOperation,
): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    requestParams: { path: parameters, query, header: NAMED_BY_CLIENT },
    requestBody: bodyOf(body),
    responses: {
      200: { description: 'It was done, or begun.', content: json(RequestAnswer) },
      202: { description: 'It is under way: ask for it again, as `getRequest`.', content: json(RequestAnswer) },
      ...problemsOf([400, 401, 403, 404, 409, 413, 415, 422, 429, 503]),
    },
  };
}

export function describeLogin(
  operationId: string,
  { summary, body, answer, problems }: LoginOperation,
): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    requestParams: {},
    requestBody: bodyOf(body),
    responses: {
      200: { description: 'It succeeded.', content: json(answer) },
      ...problemsOf([400, ...problems, 413, 415, 429, 503]),
    },
  };
}

/** A browser sends it by itself when it comes back. */
const FROM_EVENT = z.object({
  'Last-Event-ID': z.string().optional().meta({ description: 'The `id` of the last event that the client has.' }),
});

const NAMED_BY_CLIENT = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional()
    .meta({
      description: 'A name for this request that the client makes up: with the same one, it is carried out once.',
    }),
});

/** What may be empty may be left out. */
function bodyOf(body: z.ZodObject) {
  return { required: !body.safeParse({}).success, content: json(body) };
}

function json(schema: z.ZodType) {
  return { 'application/json': { schema } };
}

function problemsOf(statuses: readonly ProblemStatus[]): ZodOpenApiResponsesObject {
  const content = { 'application/problem+json': { schema: Problem } };
  return Object.fromEntries(statuses.map((status) => [status, { description: PROBLEMS[status], content }]));
}
