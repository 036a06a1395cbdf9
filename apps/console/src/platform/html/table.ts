import { html, type Content, type Html } from './html.ts';

/** A table that people scroll sideways in a narrow window. `label` says what it shows. */
export function table(label: string, columns: readonly string[], rows: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** One whose rows are blocks in a narrow window. The roles stay then, so the rows and their cells have them, too. */
export function stackedTable(label: string, columns: readonly Content[], rows: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="stacked" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows}
      </tbody>
    </table>
  </div>`;
}
