/** All roots that the merge would change, with counts. A pure function. */
import { shortSha, planCounts } from '@nereid/domain/deployment';
import { CHANGE_ROWS, type ChangeLook } from '@nereid/domain/plan';
import { html, type Html } from '../platform/html/html.ts';
import { stateMark } from '../platform/html/icons.ts';
import { changesOf, describePreview } from './describe-preview.ts';
import type { PreviewView } from './pull-request-view.ts';

/** On a phone there is room for the sign only. */
const COLUMNS = CHANGE_ROWS.filter(([, { isUsual }]) => isUsual);

export function rootsTable(previews: readonly PreviewView[]): Html {
  return html`<table class="card roots">
    <caption>
      ${previews.length === 1 ? '1 root' : `${previews.length} roots`}
    </caption>
    <thead>
      <tr>
        <th scope="col">Root</th>
        ${COLUMNS.map(
          ([, { heading, sign }]) =>
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
  const { look, reason } = describePreview(preview);
  const changes = changesOf(preview);
  return html`<tr>
    <th scope="row"><a href="../../../${path}">${rootName}</a></th>
    ${COLUMNS.map(([action, row]) => countCell(row.look, changes?.[action] ?? 0))}
    <td>
      ${stateMark(look)} ${[countsBeside(preview), stalenessOf(preview)]}
      ${reason !== undefined && html`<span class="detail">${reason}</span>`}
    </td>
  </tr>`;
}

/** A plan that only moves or forgets, for example, has nothing to count in the columns. */
function countsBeside(preview: PreviewView): Html | false {
  const changes = preview.isRemoval ? undefined : changesOf(preview);
  if (changes === undefined || COLUMNS.some(([action]) => (changes[action] ?? 0) > 0)) return false;
  return html`<span class="detail">${planCounts(changes)}</span>`;
}

function stalenessOf({ outdatedBy, ahead }: PreviewView): Html | false {
  if (outdatedBy !== undefined)
    return html`<span class="detail">before <code>${shortSha(outdatedBy)}</code> was merged</span>`;
  if (ahead === undefined) return false;
  return html`<span class="detail">with <code>${shortSha(ahead)}</code>, which is not deployed yet</span>`;
}

function countCell(look: ChangeLook, count: number): Html {
  if (count === 0) return html`<td class="count quiet">0</td>`;
  return html`<td class="count ${look === 'destroy' ? 'bad' : ''}"><strong>${count}</strong></td>`;
}
