import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readDescription, type Description, type Operation } from './description.ts';
import type { Schema } from './json-schema.ts';
import { isKnownError } from './known-errors.ts';
import { findBrokenLimits } from './limits.ts';
import { manifestSchema } from './manifest-schema.ts';
import type { Problem } from './problem.ts';

interface ApiRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined when the request has none. */
  readonly body: unknown;
}

/** Checks requests, answers and webhooks against GitHub's published description of its API. */
export interface Contract {
  /** `operation` is like `GET /repos/{owner}/{repo}`. An empty list means that GitHub would accept the request. */
  checkRequest(operation: string, request: ApiRequest): Problem[];
  checkAnswer(operation: string, status: number, body: unknown): Problem[];
  /** `event` is like `check_run.created` or `push`. */
  checkWebhook(event: string, payload: unknown): Problem[];
  /** Of the manifest from which an App is made. */
  checkManifest(manifest: unknown): Problem[];
}

let loaded: Promise<Contract> | undefined;

/** Reads the description once per process, however many stand-ins there are. */
export async function loadContract(): Promise<Contract> {
  loaded ??= readDescription().then(createContract);
  return loaded;
}

/** Schemas are compiled at their first use, because a test needs only a handful of them. */
function createContract(description: Description): Contract {
  const compile = createCompiler(description, false);
  const compileText = createCompiler(description, true);
  const operationOf = (name: string): Operation => {
    const operation = description.operations.get(name);
    if (!operation) throw new Error(`GitHub's description has no operation ${name}`);
    return operation;
  };
  return {
    checkRequest(name, request) {
      const operation = operationOf(name);
      return [
        ...problemsOf(compileText(`${name} path`, parametersOf(operation, 'path')), { ...request.path }, 'path'),
        ...problemsOf(compileText(`${name} query`, parametersOf(operation, 'query')), { ...request.query }, 'query'),
        ...checkBody(name, operation, request.body, compile),
      ];
    },
    checkAnswer(name, status, body) {
      const schema = operationOf(name).answers.get(status);
      const problems = schema ? problemsOf(compile(`${name} ${status}`, schema), body, 'answer') : [];
      return problems.filter((problem) => !isKnownError(problem));
    },
    checkWebhook(event, payload) {
      const schema = description.webhooks.get(event);
      if (!schema) return [{ field: 'event', message: `GitHub's description has no webhook ${event}` }];
      const problems = problemsOf(compile(`webhook ${event}`, schema), payload, 'payload');
      return problems.filter((problem) => !isKnownError(problem));
    },
    checkManifest: (manifest) => problemsOf(compile('manifest', manifestSchema(description)), manifest, 'manifest'),
  };
}

type Compile = (name: string, schema: Schema) => ValidateFunction;

/** With `asText`, values are texts, as in a URL: `"7"` is an integer. */
function createCompiler(description: Description, asText: boolean): Compile {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, coerceTypes: asText, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(description.definitions);
  const compiled = new Map<string, ValidateFunction>();
  return (name, schema) => {
    const known = compiled.get(name);
    if (known) return known;
    const validate = ajv.compile(schema);
    compiled.set(name, validate);
    return validate;
  };
}

function checkBody(name: string, operation: Operation, body: unknown, compile: Compile): Problem[] {
  if (operation.body === undefined) return [];
  if (body === undefined) return operation.bodyRequired ? [{ field: 'body', message: 'is missing' }] : [];
  const problems = problemsOf(compile(`${name} body`, operation.body), body, 'body');
  return [...problems, ...findUnknownKeys(operation.body, body), ...findBrokenLimits(name, body)];
}

/** GitHub answers `"x" is not a permitted key.`, although its description does not say so. */
function findUnknownKeys(schema: Schema, body: unknown): Problem[] {
  const properties = schema['properties'];
  if (typeof body !== 'object' || body === null || typeof properties !== 'object' || properties === null) return [];
  const unknown = Object.keys(body).filter((key) => !(key in properties));
  return unknown.map((key) => ({ field: `body/${key}`, message: `"${key}" is not a permitted key` }));
}

function parametersOf(operation: Operation, place: 'path' | 'query'): Schema {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function problemsOf(validate: ValidateFunction, value: unknown, where: string): Problem[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => toProblem(error, where));
}

function toProblem({ instancePath, message, params }: ErrorObject, where: string): Problem {
  const allowed = 'allowedValues' in params ? `: ${JSON.stringify(params['allowedValues'])}` : '';
  return { field: `${where}${instancePath}`, message: `${message ?? 'is not valid'}${allowed}` };
}
