/** How long the page of a plan with 5,000 resources takes to open and to filter, and whether it stays smooth under a wheel, in a browser. */
import type { Stack } from '@nereid/local/stack';
import { openObjectStore } from '@nereid/storage';
import { chromium, type Page } from 'playwright-core';
import { withStack } from '../deployments/with-stack.ts';
import { storePlan } from './store-plan.ts';
import { median } from '../timing.ts';

export interface LargePlanBench {
  readonly resources: number;
  readonly pages: readonly OpenedPlan[];
}

/** Milliseconds, as the browser counts them from the click. */
export interface OpenedPlan {
  readonly what: string;
  /** Until the page is there: the first time, when the console reads the text, and later. */
  readonly firstMs: number;
  readonly laterMs: number;
  readonly kib: number;
  /** While somebody scrolls from its top to its end: the longest time without a frame, and how many tasks took more than 50 ms. */
  readonly longestFrameMs: number;
  readonly longTasks: number;
}

const CHROMIUM = '/usr/bin/chromium';
const RESOURCES = 5_000;
const ROUNDS = 5;
const WHEEL_STEPS = 40;

const PAGES = [
  ['the page of the plan', ''],
  ['its last page', '&page=50'],
  ['filtered by a text', '&text=web%5B4'],
  ['at a resource', '&at=module.m7.aws_instance.web%5B4987%5D'],
  ['side by side', '&view=split'],
] as const;

export function benchLargePlan(env: NodeJS.ProcessEnv): Promise<LargePlanBench> {
  return withStack({ env, planReview: 'auto' }, async (stack) => {
    const store = await openObjectStore(`file:${stack.folders.storage}`);
    try {
      const path = await storePlan(store, RESOURCES);
      return { resources: RESOURCES, pages: await measurePages(stack, path) };
    } finally {
      store.close();
    }
  });
}

async function measurePages(stack: Stack, path: string): Promise<readonly OpenedPlan[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    // Compiles the script of the pages, as one that was read before has done.
    await page.goto(stack.urls.console);
    const opened: OpenedPlan[] = [];
    for (const [what, query] of PAGES) opened.push(await open(page, what, `${stack.urls.console}/${path}${query}`));
    return opened;
  } finally {
    await browser.close();
  }
}

async function open(page: Page, what: string, address: string): Promise<OpenedPlan> {
  const times: number[] = [];
  let kib = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const response = await page.goto(address);
    if (response?.status() !== 200) throw new Error(`expected ${address}, found ${response?.status() ?? 'no answer'}`);
    const [{ loadEventEnd = 0, decodedBodySize = 0 } = {}] = await page.evaluate<Partial<Navigation>[]>(NAVIGATION);
    times.push(loadEventEnd);
    kib = decodedBodySize / 1_024;
  }
  const [firstMs = 0, ...later] = times;
  return { what, firstMs, laterMs: median(later), kib, ...(await scroll(page)) };
}

interface Navigation {
  readonly loadEventEnd: number;
  readonly decodedBodySize: number;
}

const NAVIGATION = `performance.getEntriesByType('navigation').map((entry) => entry.toJSON())`;

/** As long as a page is looked at, it asks for frames. */
const WATCH = `(() => {
  const seen = (globalThis.seen = { longestFrameMs: 0, longTasks: 0 });
  new PerformanceObserver((list) => (seen.longTasks += list.getEntries().length)).observe({ type: 'longtask' });
  let last = performance.now();
  const onFrame = (now) => {
    seen.longestFrameMs = Math.max(seen.longestFrameMs, now - last);
    last = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
})()`;

async function scroll(page: Page): Promise<Pick<OpenedPlan, 'longestFrameMs' | 'longTasks'>> {
  await page.evaluate(WATCH);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, height / WHEEL_STEPS);
  return page.evaluate<Pick<OpenedPlan, 'longestFrameMs' | 'longTasks'>>('globalThis.seen');
}
