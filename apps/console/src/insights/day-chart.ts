/** Deployments a day as stacked bars. A pure function; the same numbers stand in a table beside it. */
import type { Insights } from '@nereid/api';
import { scaleBand, scaleLinear } from 'd3-scale';
import { html, type Html } from '../platform/html/html.ts';

type Day = Insights['perDay'][number];

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 36;
const BOTTOM = 20;
const TOP = 8;

/** From the bottom up: what went wrong stands where the eye begins. */
const PARTS = ['failed', 'succeeded', 'other'] as const;

export function dayChart(days: readonly Day[]): Html {
  const most = Math.max(1, ...days.map(totalOf));
  const x = scaleBand(
    days.map(({ day }) => day),
    [LEFT, WIDTH],
  ).padding(0.25);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice(4);
  const ticks = y.ticks(4).filter(Number.isInteger);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${describe(days)}">
    ${ticks.map(
      (tick) =>
        html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(tick)}" y2="${y(tick)}" class="grid" /><text
            x="${LEFT - 6}"
            y="${y(tick) + 4}"
            class="scale"
          >
            ${tick}
          </text>`,
    )}
    ${days.map((day) => bar(day, x(day.day) ?? 0, x.bandwidth(), y))}
    ${[days.at(0), days.at(-1)].map(
      (day, index) =>
        day &&
        html`<text x="${index === 0 ? LEFT : WIDTH}" y="${HEIGHT - 4}" class="${index === 0 ? 'first' : 'last'}">
          ${day.day}
        </text>`,
    )}
  </svg>`;
}

function bar(day: Day, x: number, width: number, y: (value: number) => number): Html {
  let below = 0;
  return html`<g>
    <title>${day.day}: ${countsOf(day)}</title>
    ${PARTS.map((part) => {
      const [from, to] = [below, below + day[part]];
      below = to;
      return (
        to > from &&
        html`<rect
          x="${round(x)}"
          width="${round(width)}"
          y="${round(y(to))}"
          height="${round(y(from) - y(to))}"
          class="${part}"
        />`
      );
    })}
  </g>`;
}

/** Less than a hundredth of a pixel nobody sees. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function totalOf({ succeeded, failed, other }: Day): number {
  return succeeded + failed + other;
}

function countsOf({ succeeded, failed, other }: Omit<Day, 'day'>): string {
  return `${succeeded} succeeded, ${failed} failed, ${other} ended without an apply`;
}

function describe(days: readonly Day[]): string {
  const total = days.reduce((sum, day) => sum + totalOf(day), 0);
  return `Deployments a day, ${days.length} days, ${total} in all. The table below has the numbers.`;
}
