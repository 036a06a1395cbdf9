import { assetPath, entryScript, importedScripts } from './assets.ts';
import { html, type Html } from './html.ts';
import { iconSheet } from './icons.ts';
import { whoLine, type Who } from './who.ts';

/**
 * The frame of every page. `toTop` is the relative path from the page to the console's top, such as `../`. `sheets` are the
 * stylesheets of this page besides the common one. The script writes times in other words before anything is seen, so that
 * nothing moves.
 */
export function page(title: string, body: Html, toTop: string, sheets: readonly string[] = [], who?: Who): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Nereid</title>
        <link rel="icon" href="data:," />
        ${['console.css', 'plan.css', 'actions.css', ...sheets].map((sheet) => html`<link rel="stylesheet" href="${toTop}${assetPath(sheet)}" />`)}
        ${importedScripts().map((script) => html`<link rel="modulepreload" href="${toTop}${script}" />`)}
        <script src="${toTop}${entryScript()}" type="module" blocking="render"></script>
      </head>
      <body>
        ${iconSheet()}${whoLine(who, toTop)}${body}
      </body>
    </html> `;
}
