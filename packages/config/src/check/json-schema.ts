import { z } from 'zod';
import { RepositoryFile } from '../repository/repository-schema.ts';
import { ServerFile } from '../server/server-schema.ts';
import { describeKeys } from './describe-keys.ts';
import { FILE_EXAMPLES } from './key-examples.ts';

/** The files that an editor can check while a person writes them. */
export const SCHEMAS = {
  server: { schema: ServerFile, title: 'nereid.server.yaml' },
  repository: { schema: RepositoryFile, title: 'nereid.yaml' },
} as const;

/** A JSON Schema (draft 2020-12) for editors, from the same source as our own checks. Rules between keys are not in it. */
export function jsonSchemaOf(name: keyof typeof SCHEMAS): object {
  const { schema, title } = SCHEMAS[name];
  const described = describeKeys(z.toJSONSchema(schema, { io: 'input' }));
  // The number is that of the format. A URN, because no address is ours for good.
  const $id = `urn:nereid:schema:${name}:1`;
  return { $id, ...(described as object), title, examples: [FILE_EXAMPLES[name]] }; // A mapping is described as a mapping.
}
