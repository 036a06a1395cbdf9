/** The schema of a stream of server-sent events, for OpenAPI 3.2: what each event may be. */
import { z } from 'zod';

export const NoFields = z.object({}).meta({ id: 'NoFields' });

/** Nothing else was sent for a while. Its id is a place to go on from, like that of any event. */
const ALIVE = { alive: NoFields };

/** `events`: the `data` of each event, by the event's name. Every stream has `alive` as well. */
export function eventOf(events: Readonly<Record<string, z.ZodObject>>): z.ZodType {
  return z.union(
    Object.entries({ ...events, ...ALIVE }).map(([name, data]) =>
      z.object({ event: z.literal(name), data, id: z.string().optional() }).meta({ override: sendAsText }),
    ),
  );
}

/** The line `data` of an event is a text, which is JSON. */
function sendAsText({ jsonSchema: { properties } }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const contentSchema = properties?.['data'];
  if (properties && typeof contentSchema === 'object')
    properties['data'] = { type: 'string', contentMediaType: 'application/json', contentSchema };
}
