import { html, type Html } from '../platform/html/html.ts';

/** Of a revision. Nothing of it is refused for these. */
export function configWarningsSection(warnings: readonly string[] = []): Html | undefined {
  if (warnings.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="config-warnings">
    <h2 id="config-warnings">Warnings about the configuration</h2>
    <ul>
      ${warnings.map((warning) => html`<li>${warning}</li>`)}
    </ul>
  </section>`;
}
