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
  { path: 'stops', title: 'Stops' },
  { path: 'api', title: 'API' },
] as const;

type PagePath = (typeof PAGES)[number]['path'] | 'search';

export interface SiteOptions {
  /** Of a page below one of the navigation; by default the title of that one. */
  readonly title?: string;
  /** The relative path to the console's top, such as `../`. By default the page lies there. */
  readonly toTop?: string;
  /** Without, the page stays as it is. */
  readonly live?: Live;
  readonly who?: Who | undefined;
  /** The way to it, from what contains it; the last part is the page itself. */
  readonly place?: readonly PlacePart[];
  /** What was searched for, on the page that shows what was found. */
  readonly searched?: string;
  /** The text of its `h1`; by default the title. */
  readonly heading?: Html;
}

export interface PlacePart {
  readonly text: string;
  /** From the console's top. */
  readonly path?: string;
}

/** A page of the console's own, with the way to the others. */
export function sitePage(current: PagePath, body: Html, options: SiteOptions = {}): Html {
  const ofPage = PAGES.find(({ path }) => path === current)?.title ?? '';
  const { title = ofPage, toTop = '', live, who, place = [], heading, searched = '' } = options;
  return page(
    title,
    html`<a class="skip" href="#main">To the content</a>
      ${navigation(current, toTop, searched)} ${whoLine(who, toTop)} ${live && CONNECTION_NOTE}
      <main id="main" ${live && liveAttributes(live, toTop)}>
        ${place.length > 0 && placeLine(place, toTop)}
        <h1>${heading ?? title}</h1>
        ${body}
      </main>
      ${KEYS}`,
    toTop,
    ['pulls.css', 'site.css', 'rollouts.css', ...(who === undefined ? [] : ['login.css'])],
  );
}

const KEYS = html`<footer id="keys" class="quiet">
  Keys: <kbd>/</kbd> or <kbd>Ctrl</kbd> <kbd>K</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous,
  <kbd>c</kbd> go to Confirm, <kbd>l</kbd> go to the log.
</footer>`;

function navigation(current: PagePath, toTop: string, searched: string): Html {
  return html`<nav class="site" aria-label="Nereid">
    <strong>Nereid</strong>
    <ul>
      ${PAGES.map(
        ({ path, title }) =>
          html`<li>
            <a href="${toTop}${path === '' ? './' : path}" ${path === current && html` aria-current="page"`}
              >${title}</a
            >
          </li>`,
      )}
    </ul>
    <form role="search" action="${toTop}search">
      <input type="search" name="q" value="${searched}" maxlength="200" aria-label="Search" placeholder="Search (/)" />
    </form>
  </nav>`;
}

function placeLine(place: readonly PlacePart[], toTop: string): Html {
  return html`<nav class="place" aria-label="Where this is">
    <ol>
      ${place.map(({ text, path }) => html`<li>${path === undefined ? text : html`<a href="${toTop}${path}">${text}</a>`}</li>`)}
    </ol>
  </nav>`;
}
