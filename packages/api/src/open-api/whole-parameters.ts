/** Parameters that say all of themselves where they stand: tools that make requests do not follow references there. Pure. */
import type { DescribedOperation, JsonSchema, OpenApi, PathItem } from './document.ts';

const REFERENCE = '#/components/schemas/';

export function withWholeParameters({ paths, ...document }: OpenApi): OpenApi {
  const { schemas } = document.components;

  function whole(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as JsonSchema; // An object of the document.
    const named = typeof $ref === 'string' ? schemas[$ref.slice(REFERENCE.length)] : undefined;
    return Object.fromEntries(Object.entries({ ...named, ...own }).map(([key, part]) => [key, whole(part)]));
  }

  const operation = (one: DescribedOperation): DescribedOperation => ({
    ...one,
    parameters: one.parameters.map((parameter) => ({ ...parameter, schema: whole(parameter.schema) as JsonSchema })),
  });
  const item = ({ get, post }: PathItem): PathItem => ({
    ...(get && { get: operation(get) }),
    ...(post && { post: operation(post) }),
  });
  return { ...document, paths: Object.fromEntries(Object.entries(paths).map(([path, one]) => [path, item(one)])) };
}
