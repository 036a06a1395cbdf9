/** Icons, each drawn once a page: every use refers to that drawing, so that thousands of rows stay small. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ICONS, type Icon, type Look } from '@nereid/domain/looks';
import { Html, html } from './html.ts';

/** By their names in GitHub's own set, which people know from check runs. */
const DRAWN: Readonly<Record<Icon, string>> = {
  alert: 'alert-fill',
  check: 'check-circle-fill',
  clock: 'clock',
  cross: 'x-circle-fill',
  eye: 'eye',
  idle: 'dot',
  lock: 'lock',
  play: 'play',
  question: 'question',
  same: 'check-circle',
  skip: 'skip',
  stop: 'circle-slash',
  work: 'sync',
};

let drawn: Html | undefined;

/** The drawings, for the beginning of a page. */
export function iconSheet(): Html {
  drawn ??= new Html(`<svg class="icons">${(Object.keys(ICONS) as Icon[]).map(symbol).join('')}</svg>`);
  return drawn;
}

function symbol(icon: Icon): string {
  const file = fileURLToPath(
    new URL(`build/svg/${DRAWN[icon]}-16.svg`, import.meta.resolve('@primer/octicons/package.json')),
  );
  const path = /<path.*<\/svg>/s.exec(readFileSync(file, 'utf8'))?.[0].replace('</svg>', '');
  if (path === undefined) throw new Error(`${file}: expected a drawing with a path`);
  return `<symbol id="icon-${icon}" viewBox="0 0 16 16">${path}</symbol>`;
}

/** The words beside it say the same, so nobody has it read out. */
export function iconOf(icon: Icon): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="#icon-${icon}"></use></svg>`;
}

/** A state with its icon, in its colour. `word` says more than the usual one. */
export function stateMark({ icon, mood, word }: Look, says: string = word): Html {
  return html`<span class="mood ${mood}">${iconOf(icon)} ${says}</span>`;
}
