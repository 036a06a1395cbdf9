/**
 * How long the page of a deployment takes to show the end of a log of 100 MB, against that of a short one, and how much memory the
 * browser and the console take for it; and for one that grows by as much while somebody looks.
 */
import type { Stack } from '@nereid/local/stack';
import { openObjectStore, type ObjectStore } from '@nereid/storage';
import { chromium, type Page } from 'playwright-core';
import { readUsage } from './deployments/processes.ts';
import { withStack } from './deployments/with-stack.ts';
import { readRendererMemory, type RendererMemory } from './long-log/renderer-memory.ts';
import { storeJob, type Line, type StoredJob } from './long-log/stored-job.ts';
import { median, timed } from './timing.ts';

export interface LongLogBench {
  readonly shortMs: number;
  readonly opened: readonly OpenedLog[];
  /** From the last byte that was stored until it was in sight, in a page that was open all the time. */
  readonly grown: { readonly behindMs: number; readonly renderer: RendererMemory };
  /** MiB of the console at rest, and at most. */
  readonly console: { readonly before: number; readonly most: number };
}

export interface OpenedLog {
  readonly what: string;
  /** From the click until the end is in sight. */
  readonly ms: number;
  readonly renderer: RendererMemory;
}

const CHROMIUM = '/usr/bin/chromium';

const LONG = 100_000_000;
const SHORT = 1_000;

/** The first page of a browser compiles the script; people have it in store. */
const ROUNDS = 5;

/** What hangs, ends the run. */
const DEADLINE_MS = 120_000;

const PLAIN: Line = (number) => `${`aws_instance.web[${number}]: Refreshing state…`.padEnd(80)}\n`;

/** As Terraform prints what it plans. */
const COLOURED: Line = (number) =>
  `  \u001b[32m+\u001b[0m\u001b[0m resource \u001b[1m"aws_instance"\u001b[0m "web${number}" \u001b[90m# created\u001b[0m\n`;

export function benchLongLog(env: NodeJS.ProcessEnv): Promise<LongLogBench> {
  return withStack({ env, planReview: 'auto' }, async (stack) => {
    const store = await openObjectStore(`file:${stack.folders.storage}`);
    try {
      return await measure(stack, store);
    } finally {
      store.close();
    }
  });
}

async function measure(stack: Stack, store: ObjectStore): Promise<LongLogBench> {
  const { console: before } = (await readUsage()).memory;
  const short = await storeJob(store, 'short', PLAIN);
  const { ms: shortMs } = await open(stack, 'a short log', short, await printed(short, SHORT, 'and ends'));
  const opened: OpenedLog[] = [];
  let most = before;
  for (const { what, line, then } of LONG_ONES) {
    const job = await storeJob(store, `long-${opened.length}`, line);
    opened.push(await open(stack, what, job, await printed(job, LONG, then)));
    most = Math.max(most, (await readUsage()).memory.console);
  }
  const grown = await grow(stack, await storeJob(store, 'grown', COLOURED));
  most = Math.max(most, (await readUsage()).memory.console);
  return { shortMs, opened, grown, console: { before, most } };
}

const LONG_ONES = [
  { what: 'a log of 100 MB', line: PLAIN, then: 'and ends' },
  { what: 'a log of 100 MB in colours', line: COLOURED, then: 'and ends' },
  { what: 'a log of 100 MB that still grows, in colours', line: COLOURED, then: 'and goes on' },
] as const;

async function printed(job: StoredJob, bytes: number, then: 'and ends' | 'and goes on'): Promise<string> {
  const last = await job.print(bytes);
  if (then === 'and ends') await job.end();
  return last;
}

async function open(stack: Stack, what: string, job: StoredJob, last: string): Promise<OpenedLog> {
  return inBrowser(async (page, readMemory) => {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [ms] = await timed(async () => {
        await page.goto(`${stack.urls.console}/${job.path}`, { waitUntil: 'commit' });
        await seen(page, last);
      });
      if (round > 0) times.push(ms);
    }
    return { what, ms: median(times), renderer: await readMemory() };
  });
}

function grow(stack: Stack, job: StoredJob): Promise<LongLogBench['grown']> {
  return inBrowser(async (page, readMemory) => {
    await page.goto(`${stack.urls.console}/${job.path}`);
    const last = await job.print(LONG);
    await job.end();
    const [behindMs] = await timed(() => seen(page, last));
    return { behindMs, renderer: await readMemory() };
  });
}

async function inBrowser<T>(look: (page: Page, readMemory: () => Promise<RendererMemory>) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const session = await browser.newBrowserCDPSession();
    const page = await browser.newPage();
    return await look(page, () => readRendererMemory(session));
  } finally {
    await browser.close();
  }
}

/** Without what colours it. */
async function seen(page: Page, lastLine: string): Promise<void> {
  // eslint-disable-next-line no-control-regex -- the pattern looks for colours
  const text = JSON.stringify(lastLine.replace(/\u001b\[\d*m/g, '').trim());
  const isSeen = `(() => {
    const pre = document.querySelector('#log-plan pre');
    const isAtEnd = pre !== null && pre.scrollHeight - pre.scrollTop - pre.clientHeight < 24;
    return isAtEnd && pre.lastElementChild?.textContent.trimEnd().endsWith(${text}) === true;
  })()`;
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await page.evaluate<boolean>(isSeen)))
    if (Date.now() > deadline) throw new Error(`expected ${text} within ${DEADLINE_MS} ms, did not see it`);
}
