/** Describes the API as an OpenAPI 3.1 document. A pure function of the table of operations. */
import { z } from 'zod';
import { OPERATIONS, type Operation } from '../operations.ts';
import { Problem } from '../problem.ts';
import { componentsFor, jsonSchemaOf, referenceTo, type JsonSchema } from './json-schemas.ts';

/** The top of all paths of the API. */
export const API_PATH = '/api/v1';

export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** By status. */
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface DescribedAnswer {
  readonly description: string;
  /** Schemas by type of content. */
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export function openApi(): OpenApi {
  const operations = Object.entries<Operation>(OPERATIONS);
  const paths = Object.fromEntries(operations.map(([name, one]) => [one.path, { get: described(name, one) }]));
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
  const { summary, parameters, query, answer, media = 'application/json' } = operation;
  const success = { description: 'It succeeded.', content: { [media]: { schema: referenceTo(answer) } } };
  return {
    operationId,
    summary,
    parameters: [...(parameters ? fieldsOf(parameters, 'path') : []), ...fieldsOf(query, 'query')],
    responses: { 200: success, ...problemsOf(operation) },
  };
}

const PROBLEMS = {
  400: 'A part of the request is no filter, no time or no place in the list.',
  401: 'Nobody knows who asks.',
  404: 'There is no such thing, or none that this person may see.',
  503: 'Storage did not answer: try again in a moment.',
} as const;

function problemsOf({ query, isPersonal }: Operation): Readonly<Record<string, DescribedAnswer>> {
  const content = { 'application/problem+json': { schema: referenceTo(Problem) } };
  const hasQuery = Object.keys(query.shape).length > 0;
  const isPossible = (status: string) => (status !== '400' || hasQuery) && (status !== '401' || isPersonal === true);
  const entries = Object.entries(PROBLEMS).filter(([status]) => isPossible(status));
  return Object.fromEntries(entries.map(([status, description]) => [status, { description, content }]));
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
    return { name, in: place, required: isRequired, ...(typeof description === 'string' && { description }), schema };
  });
}
