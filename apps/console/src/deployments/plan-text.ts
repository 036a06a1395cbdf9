/** Terraform's own text of a plan, in colours: of one resource, or of what is not about one. Pure. */
import { planDiff } from '@nereid/texts';
import { html, type Content, type Html } from '../platform/html/html.ts';

const LOOK: Readonly<Record<string, string>> = { '+': 'create', '-': 'destroy', '!': 'change' };

/** The sign of a line comes first, so that nobody has to see colours. */
export function planTextBlock(lines: readonly string[]): Html {
  return html`<pre class="diff" tabindex="0">${planDiff(lines).map(lineOf)}</pre>`;
}

function lineOf(line: string): Content {
  const look = LOOK[line.charAt(0)];
  const whole = `${line}\n`;
  return look === undefined ? whole : html`<span class="${look}">${whole}</span>`;
}
