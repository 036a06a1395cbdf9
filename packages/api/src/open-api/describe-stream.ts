/**
 * Describes a stream of server-sent events, as far as OpenAPI 3.1 can: for it, the stream is one long text. The extension
 * `x-events` has the schema of the `data` of each event by its name.
 */
import type { EVENT_STREAM } from '../events.ts';
import { Problem } from '../problem.ts';
import type { DescribedAnswer, DescribedOperation, Parameter } from './document.ts';
import { referenceTo, type JsonSchema } from './json-schemas.ts';
import { problemsOf } from './problems.ts';

/** `query` are the described parameters of the query. */
export function describeStream(
  operationId: string,
  { summary, description, events }: typeof EVENT_STREAM,
  query: readonly Parameter[],
): DescribedOperation {
  const schemas = Object.entries(events).map(([name, schema]): [string, JsonSchema] => [name, referenceTo(schema)]);
  const stream = { schema: { type: 'string' }, 'x-events': Object.fromEntries(schemas) };
  return {
    operationId,
    summary,
    description,
    parameters: [...query, LAST_EVENT_ID],
    responses: {
      200: { description: 'The stream.', content: { 'text/event-stream': stream } },
      400: problem('A part of the request is not a filter.'),
      ...problemsOf([401, 403]),
      404: problem('It does not exist, or this person may not see it.'),
      429: problem(
        'The login, the link or the address has as many open streams as it may have, or has sent too many requests.',
      ),
      503: problem('The console has as many open streams as it can keep: try again in a moment.'),
    },
  };
}

/** A browser sends it by itself when it comes back. */
const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event that the client has.',
  schema: { type: 'string' },
};

function problem(description: string): DescribedAnswer {
  return { description, content: { 'application/problem+json': { schema: referenceTo(Problem) } } };
}
