/** The roots of a rollout that wait for each other, as a picture. The table below it says the same, with links for the keyboard. */
import type { RolloutDetail } from '@nereid/api';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import { STAND_LOOK, STATUS_LOOK } from '@nereid/domain/looks';
import { html, type Html } from '../platform/html/html.ts';
import { layoutOf, NODE, type Edge, type Point } from './layout.ts';

/** Nobody follows the lines of a larger one, and drawing it would hold up other pages. */
const ROOTS_LIMIT = 100;
const EDGES_LIMIT = 200;

/** So many characters fit into a box. */
const NAME_LENGTH = 22;
const WORD_LENGTH = 24;

type Root = RolloutDetail['deployments'][number];

/** Undefined where no root waits for another, and where there are too many. `toTop`: from the page to the console's top. */
export function rolloutGraph(roots: readonly Root[], toTop: string): Html | undefined {
  const lineCount = roots.reduce((sum, { waitsForCount }) => sum + waitsForCount, 0);
  const isNamed = roots.every(({ waitsFor, waitsForCount }) => waitsFor.length === waitsForCount);
  if (lineCount === 0 || lineCount > EDGES_LIMIT || !isNamed) return undefined;
  const edges = roots.flatMap(({ rootName, waitsFor }) => waitsFor.map((from): Edge => ({ from, to: rootName })));
  const names = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const drawn = names.size > ROOTS_LIMIT ? undefined : layoutOf([...names], edges);
  if (drawn === undefined) return undefined;
  const { width, height, nodes, edges: lines } = drawn;
  const others = roots.length - names.size;
  return html`<div class="scroll graph" aria-hidden="true">
      <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z"></path>
          </marker>
        </defs>
        ${lines.map((points) => html`<path class="edge" d="${pathOf(points)}" marker-end="url(#arrow)"></path>`)}
        ${roots.map((root) => box(root, nodes.get(root.rootName), toTop))}
      </svg>
    </div>
    ${others > 0 && html`<p class="detail graph">${others === 1 ? '1 more root is' : `${others} more roots are`} not part of this order.</p>`}`;
}

function pathOf(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

/** A link that the keyboard passes by: the one in the table leads to the same page. */
function box({ rootName, path, stand, status }: Root, at: Point | undefined, toTop: string): Html | undefined {
  if (at === undefined) return undefined;
  const { word } = STATUS_LOOK[status as DeploymentStatus]; // As the console itself has written it.
  const { icon } = STAND_LOOK[stand];
  return html`<a href="${toTop}${path}" tabindex="-1" class="${stand}">
    <title>${rootName}: ${word}</title>
    <rect
      x="${at.x - NODE.width / 2}"
      y="${at.y - NODE.height / 2}"
      width="${NODE.width}"
      height="${NODE.height}"
      rx="6"
    ></rect>
    <use href="#icon-${icon}" x="${at.x - NODE.width / 2 + 10}" y="${at.y - 8}" width="16" height="16"></use>
    <text x="${at.x - NODE.width / 2 + 34}" y="${at.y - 4}" class="name">${cut(rootName, NAME_LENGTH)}</text>
    <text x="${at.x - NODE.width / 2 + 34}" y="${at.y + 13}">${cut(word, WORD_LENGTH)}</text>
  </a>`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
