/** Lines of a plan, in colours: of one resource, or of what is not about one. Pure. */
import { html, type Content, type Html } from '../../platform/html/html.ts';
import { foldRows } from './rows/fold-rows.ts';
import { onlySide, pairRows, type Pair } from './rows/pair-rows.ts';
import type { PlanLook } from './plan-filter.ts';
import { rowsOf, type Effort, type Row } from './rows/text-rows.ts';

const LOOK = { '+': 'create', '-': 'destroy', '!': 'change' } as const;

export function planTextBlock(lines: readonly string[], effort: Effort, look: PlanLook = {}): Html {
  return rowsBlock(rowsOf(lines, effort), look);
}

/** The sign of a line comes first, so that nobody has to see colours. */
export function rowsBlock(rows: readonly Row[], { view }: PlanLook = {}): Html {
  const only = onlySide(rows);
  return html`<div class="diff">
    ${foldRows(rows).map(({ rows: some, isFolded }) => {
      const block = view === 'split' ? pairsBlock(pairRows(some, only)) : html`<pre>${some.map(lineOf)}</pre>`;
      if (!isFolded) return block;
      const lines = `${some.length} ${some[0]?.mark === ' ' ? 'unchanged' : 'more'} lines`;
      return html`<details class="fold">
        <summary>${lines}</summary>
        ${block}
      </details>`;
    })}
  </div>`;
}

/** Columns are read by line, so each line is a row of a table. */
function pairsBlock(pairs: readonly Pair[]): Html {
  return html`<table class="pairs">
    <thead class="unseen">
      <tr>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${pairs.map(
        ({ before, after }) =>
          html`<tr ${before === after && html`class="same"`}>
            <td>${sideOf(before)}</td>
            <td>${sideOf(after)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function sideOf(row: Row | undefined): Html | undefined {
  return row && html`<pre>${lineOf(row)}</pre>`;
}

function lineOf({ mark, parts, isOfText, tail = '' }: Row): Content {
  const whole = parts.map(({ text, isChanged }) => {
    if (isChanged) return html`<em>${text}</em>`;
    return isOfText ? text : withLooks(text);
  });
  return mark === ' '
    ? [' ', whole, '\n']
    : html`<span class="${LOOK[mark]}">${[mark, whole, withLooks(tail), '\n']}</span>`;
}

/** Words of Terraform about a value. */
const OF_TERRAFORM =
  /\((?:known after apply|sensitive value|write-only attribute|ephemeral value)\)(?=$|,| #| ->)|# (?:\(\d+ unchanged [^]*|forces replacement|whitespace changes[^]*)$/g;

function withLooks(text: string): Content {
  const parts: Content[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(OF_TERRAFORM)) {
    parts.push(text.slice(from, index));
    parts.push(found.includes('force') ? html`<strong>${found}</strong>` : html`<i>${found}</i>`);
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}
