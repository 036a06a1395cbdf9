/**
 * A hundred thousand deployments that ended within ninety days, in five thousand lanes: the pages that are made of them, when the
 * console reads them first and afterwards.
 */
import type { EndedDeployment } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import type { Stack } from '@nereid/local/stack';
import { createEndedDeployments, openObjectStore, type EndedDeployments } from '@nereid/storage';
import { readUsage } from './deployments/processes.ts';
import { withStack } from './deployments/with-stack.ts';
import { median, timed } from './timing.ts';

export interface PastBench {
  readonly deployments: number;
  readonly pages: readonly PastPage[];
  /** MiB of the console before and after. */
  readonly memory: { readonly before: number; readonly after: number };
}

interface PastPage {
  readonly path: string;
  /** Milliseconds until the whole page is here: the first time, and later. */
  readonly coldMs: number;
  readonly warmMs: number;
  /** Milliseconds until its first byte, the first time. */
  readonly firstByteMs: number;
  /** KiB, before it is compressed. */
  readonly kb: number;
}

const DAYS = 90;
const A_DAY = 1_112;
const LANES = 5_000;
const ROUNDS = 5;
const DAY_MS = 24 * 3_600_000;
const PAGES = ['/insights?days=90', '/insights?days=30', '/rollouts'];

export function benchPast(env: NodeJS.ProcessEnv): Promise<PastBench> {
  return withStack({ env, planReview: 'auto' }, async (stack) => {
    const store = await openObjectStore(`file:${stack.folders.storage}`);
    await writePast(createEndedDeployments(store));
    store.close();
    const { console: before } = (await readUsage()).memory;
    const pages: PastPage[] = [];
    for (const path of PAGES) pages.push(await measure(stack, path));
    const { console: after } = (await readUsage()).memory;
    return { deployments: DAYS * A_DAY, pages, memory: { before, after } };
  });
}

async function measure({ urls }: Stack, path: string): Promise<PastPage> {
  let firstByteMs = 0;
  const [coldMs, text] = await timed(async () => {
    const [ms, answer] = await timed(() => fetch(urls.console + path));
    firstByteMs = ms;
    if (!answer.ok) throw new Error(`expected ${path}, found status ${answer.status}`);
    return answer.text();
  });
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    warm.push((await timed(async () => (await fetch(urls.console + path)).text()))[0]);
  return { path, coldMs, warmMs: median(warm), firstByteMs, kb: text.length / 1_024 };
}

/** Days that are over are packed, as a control worker does. */
async function writePast(ended: EndedDeployments): Promise<void> {
  const today = Date.now();
  for (let day = DAYS - 1; day >= 0; day -= 1) {
    const start = today - day * DAY_MS - DAY_MS / 2;
    const all = Array.from({ length: A_DAY }, (_, index) => endedAt(start + index * 30_000, day * A_DAY + index));
    await Promise.all(all.map((one) => ended.append(one.endedAt, one.id, one)));
    if (day > 1) await ended.pack(new Date(start).toISOString().slice(0, 10));
  }
}

function endedAt(atMs: number, index: number): EndedDeployment {
  const repository = { owner: 'acme', name: `infra-${index % 50}` };
  const rootName = `root-${Math.floor((index % LANES) / 50)}`;
  const at = (ms: number) => new Date(atMs - ms).toISOString();
  const sha = index.toString(16).padStart(40, '0');
  return {
    version: 1,
    id: `${fullName(repository)}-${index}`.replace('/', '-'),
    repository,
    rootName,
    revision: { sha, branch: 'main', position: index, title: 'A change', author: 'alice' },
    trigger: 'merge',
    rerun: false,
    requestedBy: `person-${index % 40}`,
    status: index % 12 === 0 ? 'apply-failed' : 'succeeded',
    receivedAt: at(600_000),
    times: { queued: at(600_000), planning: at(590_000), 'awaiting-review': at(570_000), applying: at(60_000) },
    endedAt: at(0),
    hasChanges: true,
    reviewedBy: 'alice',
  };
}
