/** All roots that the merge would change, with counts. A pure function. */
import { shortSha, planCounts } from '@nereid/domain/deployment';
import { html, type Html } from '../platform/html/html.ts';
import { changesOf, describePreview } from './describe-preview.ts';
import type { PreviewView } from './pull-request-view.ts';

/** What loses something comes first, as in a plan. On a phone there is room for the sign only. */
const COLUMNS: readonly { readonly action: Countable; readonly heading: string; readonly sign: string }[] = [
  { action: 'delete', heading: 'Destroy', sign: '−' },
  { action: 'replace', heading: 'Replace', sign: '±' },
  { action: 'update', heading: 'Change', sign: '~' },
  { action: 'create', heading: 'Create', sign: '+' },
];

type Countable = 'delete' | 'replace' | 'update' | 'create';

export function rootsTable(previews: readonly PreviewView[]): Html {
  return html`<table class="card roots">
    <caption>
      ${previews.length === 1 ? '1 root' : `${previews.length} roots`}
    </caption>
    <thead>
      <tr>
        <th scope="col">Root</th>
        ${COLUMNS.map(
          ({ heading, sign }) =>
            html`<th scope="col" class="count">
              <span class="long">${heading}</span><span class="short" aria-hidden="true">${sign}</span>
            </th>`,
        )}
        <th scope="col">Plan</th>
      </tr>
    </thead>
    <tbody>
      ${previews.map(row)}
    </tbody>
  </table>`;
}

function row(preview: PreviewView): Html {
  const { rootName, path } = preview;
  const { headline, mood, reason } = describePreview(preview);
  const changes = changesOf(preview);
  return html`<tr>
    <th scope="row"><a href="../../../${path}">${rootName}</a></th>
    ${COLUMNS.map(({ action }) => countCell(action, changes?.[action] ?? 0))}
    <td>
      <span class="mood ${mood}">${headline}</span>
      ${[countsBeside(preview), stalenessOf(preview)]}
      ${reason !== undefined && html`<span class="detail">${reason}</span>`}
    </td>
  </tr>`;
}

/** A plan that only moves or forgets, for example, has nothing to count in the columns. */
function countsBeside(preview: PreviewView): Html | false {
  const changes = preview.isRemoval ? undefined : changesOf(preview);
  if (changes === undefined || COLUMNS.some(({ action }) => changes[action] > 0)) return false;
  return html`<span class="detail">${planCounts(changes)}</span>`;
}

function stalenessOf({ outdatedBy, ahead }: PreviewView): Html | false {
  if (outdatedBy !== undefined)
    return html`<span class="detail">before <code>${shortSha(outdatedBy)}</code> was merged</span>`;
  if (ahead === undefined) return false;
  return html`<span class="detail">with <code>${shortSha(ahead)}</code>, which is not deployed yet</span>`;
}

function countCell(action: Countable, count: number): Html {
  if (count === 0) return html`<td class="count quiet">0</td>`;
  const look = action === 'delete' || action === 'replace' ? 'bad' : '';
  return html`<td class="count ${look}"><strong>${count}</strong></td>`;
}
