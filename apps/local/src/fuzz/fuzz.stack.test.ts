/**
 * The API of a real console with lanes, deployments and a past: requests that nobody thought of get an answer that its document
 * describes. `FUZZ_REQUESTS` are how many there are at least; `FUZZ_SEED` repeats a run.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import path from 'node:path';
import type { HostList, LaneDetail, LaneList, OpenApi, RequestAnswer, RolloutList } from '@nereid/api';
import { fuzzApi, type Fuzzed } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { deployPlatform, ensurePlatform } from '../fleet/deploy-platform.ts';
import { FAILING, PLATFORM_NAME, PLATFORM_ROOTS } from '../fleet/platform.ts';
import { ensureHistory } from '../history/ensure-history.ts';
import { MADE_UP_DEPLOYED } from '../history/made-up-repositories.ts';
import { propose } from '../sample/changes.ts';
import { ensureSample, SAMPLE_NAME } from '../sample/repository.ts';
import { withOwnStates } from '../stack/own-states.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { eventually } from '../story/eventually.ts';
import { knownValues } from './known-values.ts';

/** In CI, some seconds; `make fuzz` has more. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 500);
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Some thirty operations; those without parameters get one request. */
const REQUESTS_EACH = Math.ceil(REQUESTS / 30);

/** A machine that does much besides answers a few in a second; `beforeAll` has the time of any test of a stack. */
const HANGS_AFTER_MS = 600_000 + REQUESTS * 300;

const folder = folderOfThisFile();
let stack: Stack;

beforeAll(async () => {
  const deployed = [{ repository: PLATFORM_NAME, roots: PLATFORM_ROOTS }, ...MADE_UP_DEPLOYED];
  const more = withOwnStates(deployed, path.join(folder, 'state'));
  const options = { env: process.env, folder, ports: 'free', storage: 'folder', report: () => undefined } as const;
  stack = await startStack({ ...options, ...more, plansPullRequests: true });
  await ensureSample(stack.github);
  await ensureHistory(stack);
  await ensurePlatform(stack.github);
  await deployPlatform(stack.github);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('the lists of the console have everything that needs a person', async () => {
  // The console reads the lanes every few seconds.
  await eventually('a merge that waits behind a manual deployment', async () => {
    const cache = await get<LaneDetail>(`/lanes/${PLATFORM_NAME}/cache`);
    return cache.state === 'locked' && cache.lock?.kind === 'manual' && cache.waiting === 1;
  });
  const [lanes, rollouts, hosts] = await Promise.all([
    get<LaneList>('/lanes?limit=1000'),
    get<RolloutList>('/rollouts'),
    get<HostList>('/hosts'),
  ]);

  const laneOf = (repository: string, rootName: string) =>
    lanes.items.find((lane) => lane.repository === repository && lane.rootName === rootName);
  expect(laneOf('acme/edge', 'cdn')).toMatchObject({ state: 'outcome-unknown', lock: { kind: 'outcome-unknown' } });
  expect(laneOf('acme/data', 'warehouse')).toMatchObject({ state: 'failed', lock: { kind: 'failed' } });
  expect(laneOf(PLATFORM_NAME, FAILING)).toMatchObject({ state: 'failed', lock: { kind: 'failed' } });
  const rollout = rollouts.items.find(({ repository, counts }) => repository === PLATFORM_NAME && counts.failed === 1);
  expect(rollout?.counts).toEqual({ done: 11, failed: 1, review: 8 });
  expect(hosts.items.map(({ state }) => state)).toContain('away');
});

test('every answer to requests that are made up is one that the document describes', fuzz, HANGS_AFTER_MS);

async function fuzz(): Promise<void> {
  const word = await wordOfPage();
  const { id } = await unlock(`${PLATFORM_NAME}/cache`, word);
  const known = knownValues(await listsOf());
  // Few, so that each is asked for now and then, and that what is in one repository is asked for there.
  known.set('id', [id, ...(known.get('id') ?? []).slice(0, 9)]);
  known.set(
    'name',
    [PLATFORM_NAME, SAMPLE_NAME].map((repository) => repository.split('/')[1] ?? ''),
  );
  known.set('number', [await plannedPullRequest()]);
  const runs: Fuzzed[] = [];

  for (let seed = FIRST_SEED; sumOf(runs) < REQUESTS; seed += 1) {
    const run = { env: process.env, apiUrl: api(), headers: { 'x-csrf-token': word }, known, folder, seed };
    const found = await fuzzApi({ ...run, requestsEach: REQUESTS_EACH, report: () => undefined });
    if (found.findings !== '') throw new Error(`With FUZZ_SEED=${seed}:\n${found.findings}`);
    runs.push(found);
  }

  process.stdout.write(`\n${reportOf(runs)}\n`);
  const reads = Object.keys(runs[0]?.succeeded ?? {}).filter((operation) => operation.startsWith('GET '));
  const neverRead = reads.filter((operation) => runs.every(({ succeeded }) => succeeded[operation] === 0));
  expect(neverRead).toEqual([]);
  expect(reads.length).toBeGreaterThan(0);
}

function sumOf(runs: readonly Fuzzed[]): number {
  return runs.reduce((sum, { requests }) => sum + requests, 0);
}

/** FUZZ_SEED repeats the first of the runs. */
function reportOf(runs: readonly Fuzzed[]): string {
  const operations = Object.keys(runs[0]?.succeeded ?? {});
  const lines = operations.map((operation) => {
    const succeeded = runs.reduce((sum, run) => sum + (run.succeeded[operation] ?? 0), 0);
    return `  ${operation}: ${succeeded} succeeded`;
  });
  const requests = `${sumOf(runs)} made-up requests in ${runs.length} runs, from FUZZ_SEED=${FIRST_SEED} on`;
  return [`${requests}; each answer is as described:`, ...lines].join('\n');
}

function api(): string {
  return `${stack.urls.console}/api/v1`;
}

async function get<T>(place: string): Promise<T> {
  return (await (await fetch(api() + place)).json()) as T; // As the document says.
}

/** The answers of all lists that are complete answers: a stream is none. */
async function listsOf(): Promise<readonly unknown[]> {
  const { paths } = await get<OpenApi>('/openapi.json');
  const lists = Object.entries(paths).filter(([, { get: read }]) => {
    return read?.responses['200']?.content['application/json'] && !read.parameters.some(({ required }) => required);
  });
  return Promise.all(lists.map(([place]) => get(place)));
}

/** A pull request that the console knows. */
async function plannedPullRequest(): Promise<number> {
  const files = { 'dns/fuzz.tf': 'resource "terraform_data" "fuzz" {}\n' };
  const change = { branch: 'fuzz', title: 'A record', body: '', author: 'bob', files } as const;
  const number = await propose(stack.github, change, SAMPLE_NAME);
  await eventually('the page of a pull request', async () => {
    const { status } = await fetch(`${api()}/pulls/${SAMPLE_NAME}/${number}`);
    return status === 200;
  });
  return number;
}

/** What a page of the console has for its own requests. */
async function wordOfPage(): Promise<string> {
  const { items } = await get<LaneList>('/lanes?state=review');
  const page = await (await fetch(`${stack.urls.console}/${items[0]?.running?.path ?? ''}`)).text();
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

async function unlock(lane: string, word: string): Promise<RequestAnswer> {
  const { lock } = await get<LaneDetail>(`/lanes/${lane}`);
  const headers = { 'x-csrf-token': word, 'content-type': 'application/json' };
  const body = JSON.stringify({ deployment: lock?.deploymentId });
  const answer = await fetch(`${api()}/lanes/${lane}/unlock`, { method: 'POST', headers, body });
  return (await answer.json()) as RequestAnswer; // As the document says.
}
