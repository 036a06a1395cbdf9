/** The page `/api`: the API's document, for people to read. A pure function of the document. */
import {
  API_PATH,
  type DescribedAnswer,
  type DescribedOperation,
  type JsonSchema,
  type OpenApi,
  type Parameter,
} from '@nereid/api';
import { html, type Html } from '../platform/html/html.ts';
import { table } from '../platform/html/table.ts';

export function documentBody({ info, paths, components }: OpenApi): Html {
  const operations = Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [operationSection('GET', path, get)]),
    ...(post === undefined ? [] : [operationSection('POST', path, post)]),
  ]);
  return html`<p>${info.description}</p>
    <p>
      All paths are below <code>${API_PATH.slice(1)}</code> of this console.
      <a href="${API_PATH.slice(1)}/openapi.json">The document for programs</a> is OpenAPI 3.2; <code>nereid</code>, the
      command line, is a client of it.
    </p>
    <h2>Operations</h2>
    ${operations}
    <h2>Schemas</h2>
    ${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}`;
}

function operationSection(method: string, path: string, operation: DescribedOperation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return html`<details class="card operation" id="${operationId}">
    <summary><code>${method} ${path}</code> <span class="detail">${summary}</span></summary>
    ${description !== undefined && html`<p>${description}</p>`}${parameters.length > 0 && parametersTable(parameters)}
    ${requestBody && html`<p>Body${requestBody.required ? '' : ' (optional)'}: ${contentOf(requestBody)}</p>`}
    ${table(
      `Answers of ${operationId}`,
      ['Status', 'Means', 'Answer'],
      Object.entries(responses).map(
        ([status, answer]) =>
          html`<tr>
            <td>${status}</td>
            <td>${answer.description}</td>
            <td>${contentOf(answer)}</td>
          </tr>`,
      ),
    )}
  </details>`;
}

function parametersTable(parameters: readonly Parameter[]): Html {
  return table(
    'Parameters',
    ['Parameter', 'In', 'Means', 'Schema'],
    parameters.map(
      ({ name, in: place, required, description, schema: { description: _again, ...schema } }) =>
        html`<tr>
          <td><code>${name}</code></td>
          <td>${place}${required && ', required'}</td>
          <td>${description}</td>
          <td>${schemaText(schema)}</td>
        </tr>`,
    ),
  );
}

function contentOf({ content }: Pick<DescribedAnswer, 'content'>): readonly Html[] {
  return Object.entries(content).map(([media, each]) => {
    const shown = 'schema' in each ? schemaText(each.schema) : html`of ${schemaText(each.itemSchema)}`;
    return html`<code>${media}</code> ${shown}`;
  });
}

/** A schema that has a section leads there. */
function schemaText(schema: JsonSchema): Html {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return html`<code>${JSON.stringify(schema)}</code>`;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  return html`<a href="#${sectionOf(name)}">${name}</a>`;
}

function schemaSection(name: string, schema: JsonSchema): Html {
  return html`<details class="card operation" id="${sectionOf(name)}">
    <summary><code>${name}</code></summary>
    <pre tabindex="0">${JSON.stringify(schema, undefined, 2)}</pre>
  </details>`;
}

function sectionOf(name: string): string {
  return `schema-${name}`;
}
