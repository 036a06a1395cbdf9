import { html, type Html } from './html.ts';
import { CONNECTION_NOTE, liveAttributes, type Live } from './live.ts';
import { page } from './page.ts';
import { whoLine, type Who } from './who.ts';

const PAGES = [
  { path: '', title: 'Attention' },
  { path: 'lanes', title: 'Lanes' },
  { path: 'rollouts', title: 'Rollouts' },
  { path: 'activity', title: 'Activity' },
  { path: 'insights', title: 'Insights' },
  { path: 'hosts', title: 'Hosts' },
  { path: 'api', title: 'API' },
] as const;

export interface SiteOptions {
  /** Of a page below one of the navigation; by default the title of that one. */
  readonly title?: string;
  /** The relative path to the console's top, such as `../`. By default the page lies there. */
  readonly toTop?: string;
  /** Without, the page stays as it is. */
  readonly live?: Live;
  readonly who?: Who | undefined;
}

/** A page of the console's own, with the way to the others. */
export function sitePage(current: (typeof PAGES)[number]['path'], body: Html, options: SiteOptions = {}): Html {
  const ofPage = PAGES.find(({ path }) => path === current)?.title ?? '';
  const { title = ofPage, toTop = '', live, who } = options;
  return page(
    title,
    html`<a class="skip" href="#main">To the content</a>
      <nav class="site" aria-label="Nereid">
        <strong>Nereid</strong>
        <ul>
          ${PAGES.map(
            ({ path, title: text }) =>
              html`<li>
                <a href="${toTop}${path === '' ? './' : path}" ${path === current && html` aria-current="page"`}
                  >${text}</a
                >
              </li>`,
          )}
        </ul>
      </nav>
      ${whoLine(who, toTop)} ${live && CONNECTION_NOTE}
      <main id="main" ${live && liveAttributes(live, toTop)}>
        <h1>${title}</h1>
        ${body}
      </main>`,
    toTop,
    ['pulls.css', 'site.css', ...(who === undefined ? [] : ['login.css'])],
  );
}
