import { notification } from '@nereid/domain/notification/record';
import { z } from 'zod';
import { codeBlock, page, table } from './markdown.ts';

interface Field {
  readonly description?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

/** From the schema by which notifications are stored and sent. */
export function notificationsPage(): string {
  // As a receiver reads it, who has to let further fields pass.
  const schema = z.toJSONSchema(notification, { io: 'input' }) as Field; // An object of objects and texts.
  return page(
    '# Notifications as JSON',
    'A destination of the kind `webhook` receives each [notification](../guides/notifications.md) as this JSON. Fields may be added\nwithin a version. `version` changes when one goes away or means something else.',
    table(['Field', 'Always there', 'Means'], rowsOf(schema, '')),
    'Requests follow [Standard Webhooks](audit-events.md#webhook). The header `webhook-id` is the `id`, or its SHA-256 where the\n`id` has characters that no header should have.',
    '## JSON Schema',
    // Prettier would format it within the page.
    `<!-- prettier-ignore -->\n${codeBlock(JSON.stringify(schema, null, 2), 'json')}`,
  );
}

function rowsOf({ properties = {}, required = [] }: Field, parent: string): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${parent}${name}`;
    const row = [`\`${path}\``, required.includes(name) ? 'yes' : 'no', meaningOf(field)];
    return field.properties ? [row, ...rowsOf(field, `${path}.`)] : [row];
  });
}

function meaningOf({ description = '', enum: words = [] }: Field): string {
  return [description, ...(words.length > 0 && words.length < WORDS_LIMIT ? [listed(words)] : [])].join(' ').trim();
}

/** More words stand in the schema alone. */
const WORDS_LIMIT = 10;

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
