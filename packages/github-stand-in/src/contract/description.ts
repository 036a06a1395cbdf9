import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { toJsonSchema, type Schema } from './json-schema.ts';

const require = createRequire(import.meta.url);

/** GitHub's published description of its API, cut down to the parts that this stand-in needs. */
export interface Description {
  /** By `GET /repos/{owner}/{repo}`. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** JSON Schema of webhook payloads, by `check_run.created` or `push`. */
  readonly webhooks: ReadonlyMap<string, Schema>;
  /** JSON Schema of everything the schemas above refer to, as `github#/definitions/<name>`. */
  readonly definitions: Schema;
}

export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  /** By status. */
  readonly answers: ReadonlyMap<number, Schema>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

/** Reads the description: 13 MB that become 45 MB of objects, of which a tenth is kept. */
export async function readDescription(): Promise<Description> {
  const path = require.resolve('@octokit/openapi/generated/api.github.com.json');
  // The file has the shape of OpenAPI 3.0; a part that does not fit fails at its first use.
  const published = JSON.parse(await readFile(path, 'utf8')) as Published;
  const used = new Set<string>();
  const operations = new Map<string, Operation>();
  for (const [template, methods] of Object.entries(published.paths)) {
    if (!isAnswered(template)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(`${method.toUpperCase()} ${template}`, toOperation(published, operation, used));
    }
  }
  return { operations, webhooks: readWebhooks(published, used), definitions: readDefinitions(published, used) };
}

interface Published {
  readonly paths: Record<string, Record<string, PublishedOperation>>;
  readonly 'x-webhooks': Record<string, { post: PublishedOperation }>;
  readonly components: Record<'schemas' | 'parameters' | 'responses', Record<string, Schema>>;
}

interface PublishedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

type Content = Record<string, { readonly schema?: Schema }>;

/** The parts of the API that an App which deploys may touch; the rest (gists, packages, …) is not kept in memory. */
function isAnswered(template: string): boolean {
  const areas = ['/app', '/installation/', '/rate_limit', '/user/installations'];
  const team = /^\/orgs\/\{org\}\/teams\/\{team_slug\}(\/memberships\/.*)?$/;
  const nouns =
    'actions/runs/\\{run_id\\}|activity|branches|check-runs|check-suites|collaborators|commits|compare|deployments|git/matching-refs|installation|issues|pulls';
  const repository = new RegExp(`^/repos/\\{owner\\}/\\{repo\\}(/(${nouns})(/.*)?)?$`);
  return (
    template === '/user' ||
    template === '/users/{username}' ||
    areas.some((area) => template.startsWith(area)) ||
    team.test(template) ||
    repository.test(template)
  );
}

function toOperation(published: Published, operation: PublishedOperation, used: Set<string>): Operation {
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const found = '$ref' in parameter ? published.components.parameters[nameOf(parameter.$ref)] : parameter;
    // A reference of the published file leads to a parameter.
    const { name, in: place, required, schema } = found as unknown as Parameter;
    return { name, in: place, required: required || place === 'path', schema: toJsonSchema(schema, used) };
  });
  const body = operation.requestBody?.content['application/json']?.schema;
  const answers = Object.entries(operation.responses).flatMap(([status, { content }]): [number, Schema][] => {
    const schema = content?.['application/json']?.schema;
    return schema ? [[Number(status), toJsonSchema(schema, used)]] : [];
  });
  return {
    parameters,
    body: body && toJsonSchema(body, used),
    bodyRequired: operation.requestBody?.required === true,
    answers: new Map(answers),
  };
}

function readWebhooks(published: Published, used: Set<string>): Map<string, Schema> {
  const events =
    /^(check_(run|suite)|deployment-protection-rule|installation$|issue-comment|merge-group|ping|pull-request|push)/;
  return new Map(
    Object.values(published['x-webhooks']).flatMap(({ post }): [string, Schema][] => {
      const [event = '', action] = post.operationId.split('/');
      const schema = post.requestBody?.content['application/json']?.schema;
      if (!schema || !events.test(event.replace('check-', 'check_'))) return [];
      const name = event.replaceAll('-', '_');
      return [[action ? `${name}.${action.replaceAll('-', '_')}` : name, toJsonSchema(schema, used)]];
    }),
  );
}

/** Converts all reachable definitions: converting one adds the names that it refers to, so `used` grows in the loop. */
function readDefinitions(published: Published, used: Set<string>): Schema {
  const definitions: Record<string, Schema> = {};
  for (const name of used) {
    const schema = published.components.schemas[name];
    if (schema) definitions[name] = toJsonSchema(schema, used);
  }
  return { $id: 'github', definitions };
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
