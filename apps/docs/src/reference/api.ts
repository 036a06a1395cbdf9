import { API_PATH, type DescribedOperation, type Parameter } from '@nereid/api';
import { openApi } from '@nereid/api/open-api';
import { page } from './markdown.ts';

/** From the document that the console serves. */
export function apiPage(): string {
  return page(
    '# The API',
    `Everything that the console shows and does is JSON below \`${API_PATH}\` of its address. \`${API_PATH}/openapi.json\` describes it\nfor programs, with the shape of each answer; [the command line](command-line.md) is a client of it.\nA program sends a [token](../guides/logins.md#tokens-of-scripts) as \`Authorization: Bearer nereid_…\`. A refusal has a \`title\`, a\n\`detail\` and a \`status\`, as RFC 9457 has them; 429 and 503 say when to come back.`,
    'These requests read. [Others change something](api-actions.md).',
    ...sectionsOf('get'),
  );
}

export function apiActionsPage(): string {
  return page(
    '# Actions of the API',
    'These requests change something, or log in. [The API](api.md) says how a program sends them, and what a refusal looks like.',
    ...sectionsOf('post'),
  );
}

function sectionsOf(method: 'get' | 'post'): readonly string[] {
  return Object.entries(openApi().paths).flatMap(([path, { [method]: operation }]) =>
    operation === undefined ? [] : [section(method.toUpperCase(), path, operation)],
  );
}

function section(
  method: string,
  path: string,
  { operationId, summary, parameters, requestBody }: DescribedOperation,
): string {
  const items = [
    ...parameters.filter((each) => !isPlain(each)).map(item),
    ...(requestBody === undefined ? [] : [`- body: JSON${requestBody.required ? '' : ', which may be left out'}`]),
  ];
  const list = items.length === 0 ? [] : [items.join('\n')];
  return [`## ${operationId}`, `\`${method} ${API_PATH}${path}\``, summary, ...list].join('\n\n');
}

/** A part of the path says what it is. */
function isPlain({ in: place, description }: Parameter): boolean {
  return place === 'path' && description === undefined;
}

function item({ name, in: place, required, description }: Parameter): string {
  const where = place === 'header' ? ', a header' : '';
  const says = description === undefined ? '' : `: ${description.replace(/\.$/, '')}`;
  return `- \`${name}\`${where}${required ? ', required' : ''}${says}`;
}
