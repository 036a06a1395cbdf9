/** Describes the API as an OpenAPI 3.1 document. A pure function of the table of operations. */
import { z } from 'zod';
import { ACTION_OPERATIONS, type ActionOperation } from '../actions.ts';
import { EVENT_STREAM } from '../events.ts';
import { LOGIN_OPERATIONS, type LoginOperation } from '../logins.ts';
import { OPERATIONS, type Operation } from '../operations.ts';
import { describeAction } from './describe-action.ts';
import { describeLogin } from './describe-login.ts';
import { describeStream } from './describe-stream.ts';
import type { DescribedOperation, OpenApi, Parameter, PathItem } from './document.ts';
import { componentsFor, jsonSchemaOf, referenceTo } from './json-schemas.ts';
import { problemsOf } from './problems.ts';

/** The top of all paths of the API. */
export const API_PATH = '/api/v1';

export function openApi(): OpenApi {
  const reads = Object.entries<Operation>(OPERATIONS).map(([name, one]) => [one.path, { get: described(name, one) }]);
  const actions = Object.entries<ActionOperation>(ACTION_OPERATIONS).map(([name, one]) => {
    const parameters = [...fieldsOf(one.parameters, 'path'), ...fieldsOf(one.query, 'query')];
    return [one.path, { post: describeAction(name, one, parameters) }];
  });
  const logins = Object.entries<LoginOperation>(LOGIN_OPERATIONS).map(([name, one]) => [
    one.path,
    { post: describeLogin(name, one) },
  ]);
  const stream = describeStream('streamEvents', EVENT_STREAM, fieldsOf(EVENT_STREAM.query, 'query'));
  const paths: Record<string, PathItem> = {
    [EVENT_STREAM.path]: { get: stream },
  };
  // A path may be read and posted to.
  for (const [path, item] of [...reads, ...actions, ...logins] as [string, PathItem][])
    paths[path] = { ...paths[path], ...item };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Nereid',
      version: '1.0.0',
      description:
        'Lanes and what happens in them. Names, titles and sentences may come from repositories: show them as text.',
    },
    // From where the document is, whatever a proxy puts before it.
    servers: [{ url: '.' }],
    paths,
    components: { schemas: componentsFor(paths) },
  };
}

function described(operationId: string, operation: Operation): DescribedOperation {
  const { summary, parameters, query, answer, media = 'application/json', mayWait = false } = operation;
  const success = {
    description: 'It succeeded.',
    content: { [media]: { schema: referenceTo(answer) } },
  };
  // Any part of an address may be badly encoded.
  const hasParts = parameters !== undefined || Object.keys(query.shape).length > 0;
  return {
    operationId,
    summary,
    parameters: [...(parameters ? fieldsOf(parameters, 'path') : []), ...fieldsOf(query, 'query')],
    responses: {
      200: success,
      ...(mayWait && {
        202: { ...success, description: 'It is under way: ask again.' },
      }),
      ...problemsOf([...(hasParts ? [400 as const] : []), 401, 403, 404, ...(mayWait ? [409 as const] : []), 429, 503]),
    },
  };
}

/**
 * A parameter arrives as text. Its schema is that of the value that the text stands for, since only that has limits; what may
 * be left out is a matter of the text.
 */
function fieldsOf(fields: z.ZodObject, place: Parameter['in']): readonly Parameter[] {
  const { required = [] } = z.toJSONSchema(fields, { io: 'input' });
  return Object.entries<z.core.$ZodType>(fields.shape).map(([name, field]) => {
    const { description, ...schema } = jsonSchemaOf(field);
    const isRequired = required.includes(name);
    return {
      name,
      in: place,
      required: isRequired,
      ...(typeof description === 'string' && { description }),
      schema,
    };
  });
}
