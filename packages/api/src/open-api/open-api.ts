/** Describes the API as an OpenAPI 3.2 document. A pure function of the tables of operations. */
import { createDocument, type ZodOpenApiOverrideContext, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ACTION_OPERATIONS, type ActionOperation } from '../actions.ts';
import { EVENT_STREAM } from '../events.ts';
import { LOGIN_OPERATIONS, type LoginOperation } from '../logins.ts';
import { API_PATH, OPERATIONS, type Operation } from '../operations.ts';
import { describeAction, describeLogin, describeRead } from './describe.ts';
import type { OpenApi } from './document.ts';
import { withWholeParameters } from './whole-parameters.ts';

export function openApi(): OpenApi {
  const reads = Object.entries<Operation>({ streamEvents: EVENT_STREAM, ...OPERATIONS });
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    reads.map(([name, one]) => [one.path, { get: describeRead(name, one) }]),
  );
  // A path may be read and posted to.
  for (const [name, one] of Object.entries<ActionOperation>(ACTION_OPERATIONS))
    paths[one.path] = { ...paths[one.path], post: describeAction(name, one) };
  for (const [name, one] of Object.entries<LoginOperation>(LOGIN_OPERATIONS))
    paths[one.path] = { ...paths[one.path], post: describeLogin(name, one) };
  const document = createDocument(
    {
      openapi: '3.2.0',
      info: {
        title: 'Nereid',
        version: '1.0.0',
        description:
          'Lanes and what happens in them. Names, titles and sentences may come from repositories: show them as text.',
      },
      servers: [{ url: API_PATH }],
      paths,
    },
    { override: withoutSafeLimits },
  ) as unknown as OpenApi; // The library has types for all that OpenAPI can say; this is what we say.
  return withWholeParameters(document);
}

/** That an integer is exact as a double is a matter of JavaScript, not of the API. */
function withoutSafeLimits({ jsonSchema }: ZodOpenApiOverrideContext): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
