import { z } from 'zod';
import { RepositoryFile } from '../repository/repository-schema.ts';
import { ServerFile } from '../server/server-schema.ts';
import { describedKeys, forEditors, type DescribedKey } from './describe-keys.ts';
import { FILE_EXAMPLES } from './key-examples.ts';

/** The files that an editor can check while a person writes them. */
export const SCHEMAS = {
  server: { schema: ServerFile, title: 'nereid.server.yaml' },
  repository: { schema: RepositoryFile, title: 'nereid.yaml' },
} as const;

type Name = keyof typeof SCHEMAS;

/** A JSON Schema (draft 2020-12) for editors, from the same source as our own checks. Rules between keys are not in it. */
export function jsonSchemaOf(name: Name): object {
  // The number is that of the format. A URN, because no address is ours for good.
  const $id = `urn:nereid:schema:${name}:1`;
  const { title } = SCHEMAS[name];
  return { $id, ...(forEditors(written(name)) as object), title, examples: [FILE_EXAMPLES[name]] }; // A mapping stays one.
}

/** Every key of the file, as its page says it. */
export function keysOfFile(name: Name): readonly DescribedKey[] {
  return describedKeys(written(name));
}

function written(name: Name): object {
  return z.toJSONSchema(SCHEMAS[name].schema, { io: 'input' });
}
