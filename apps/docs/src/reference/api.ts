import { API_PATH, type DescribedOperation, type Parameter } from '@nereid/api';
import { openApi } from '@nereid/api/open-api';
import { page } from './markdown.ts';

/** From the document that the console serves. */
export function apiPage(): string {
  const { paths } = openApi();
  const operations = Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [section('GET', path, get)]),
    ...(post === undefined ? [] : [section('POST', path, post)]),
  ]);
  return page(
    '# The API',
    `Everything that the console shows and does is JSON below \`${API_PATH}\` of its address. \`${API_PATH}/openapi.json\` describes it\nfor programs, with the shape of each answer; [the command line](command-line.md) is a client of it.\nA program sends a [token](../guides/logins.md#tokens-of-scripts) as \`Authorization: Bearer nereid_…\`. A refusal has a \`title\`, a\n\`detail\` and a \`status\`, as RFC 9457 has them; 429 and 503 say when to come back.`,
    ...operations,
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
