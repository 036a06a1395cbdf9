import { html, type Html } from './html.ts';
import { page } from './page.ts';

const PAGES = [
  { path: 'activity', title: 'Activity' },
  { path: 'insights', title: 'Insights' },
  { path: 'hosts', title: 'Hosts' },
] as const;

/** A page of the console's own, with the way to the others. All of them lie at the console's top. */
export function sitePage(current: (typeof PAGES)[number]['path'], body: Html): Html {
  const title = PAGES.find(({ path }) => path === current)?.title ?? '';
  return page(
    title,
    html`<a class="skip" href="#main">To the content</a>
      <nav class="site" aria-label="Nereid">
        <strong>Nereid</strong>
        <ul>
          ${PAGES.map(
            ({ path, title: text }) =>
              html`<li><a href="${path}" ${path === current && html` aria-current="page"`}>${text}</a></li>`,
          )}
        </ul>
      </nav>
      <main id="main">
        <h1>${title}</h1>
        ${body}
      </main>`,
    '',
    ['site.css'],
  );
}
