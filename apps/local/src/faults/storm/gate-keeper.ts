/** A person who closes and opens windows during the storm, stops and thaws the repository, and skips waves, with what was closed when. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../random.ts';
import { FREEZE } from '../../stack/server-file.ts';
import type { Stack } from '../../stack/stack.ts';
import { STORM_NAME, type StormRepository } from './storm-repository.ts';

/** A root at which nothing was to begin between the two times, which are ISO 8601. */
export interface Closed {
  readonly rootName: string;
  readonly by: 'window' | 'stop';
  /** Absent: from the beginning of the storm on. */
  readonly from?: string;
  readonly to: string;
}

export interface GateKeeper {
  readonly closed: readonly Closed[];
  /** Changes windows, stops and thaws until the signal. */
  keep(signal: AbortSignal): Promise<void>;
  /** Opens every window, and ends every stop. */
  openAll(): Promise<void>;
}

/** Windows close for a fifth of the roots at a time. */
const SHARE = 5;

export function windowsOf(rootNames: readonly string[]): readonly object[] {
  if (rootNames.length === 0) return [];
  return [{ ...FREEZE, name: 'Storm', repositories: [STORM_NAME], roots: rootNames, doors: ['plan', 'apply'] }];
}

export function firstClosed({ rootNames }: Pick<StormRepository, 'rootNames'>): readonly string[] {
  return rootNames.slice(0, Math.ceil(rootNames.length / SHARE));
}

export function createGateKeeper(
  stack: Stack,
  { rootNames }: Pick<StormRepository, 'rootNames'>,
  random: Random,
): GateKeeper {
  const closed: Closed[] = [];
  let frozen: { readonly roots: readonly string[]; readonly from?: string } = { roots: firstClosed({ rootNames }) };
  let stopped: { readonly rootName: string; readonly from: string }[] = [];

  /** A worker reads the file when it starts. One that is just starting may have read the old one, so each is started twice. */
  async function freeze(roots: readonly string[]): Promise<void> {
    const to = new Date().toISOString();
    closed.push(...frozen.roots.map((rootName) => ({ ...frozenSince(), rootName, by: 'window' as const, to })));
    await stack.changeWindows(windowsOf(roots));
    for (const name of ['worker', 'worker-2', 'worker', 'worker-2'] as const) await stack.restart(name);
    frozen = { roots, from: new Date().toISOString() };
  }

  function frozenSince() {
    return frozen.from === undefined ? {} : { from: frozen.from };
  }

  async function stop(): Promise<void> {
    const rootName = rootNames[random.integer(rootNames.length)] ?? '';
    const body = { for: '1h', reason: 'a storm is coming', directories: [rootName] };
    if (await ask(stack, 'stop', body)) stopped = [...stopped, { rootName, from: new Date().toISOString() }];
  }

  async function thaw(): Promise<boolean> {
    const to = new Date().toISOString();
    closed.push(...stopped.map((one) => ({ ...one, by: 'stop' as const, to })));
    stopped = [];
    return ask(stack, 'thaw', {});
  }

  /** Of a merge that somebody sees waiting for a wave. */
  async function skip(): Promise<void> {
    for (const { headSha: revision, output } of stack.github.checkRuns(STORM_NAME)) {
      const [, wave] = / wave (\d+) of /.exec(output.title ?? '') ?? [];
      if (wave === undefined) continue;
      await ask(stack, 'skip-soak', { revision, wave: Number(wave), reason: 'a storm is coming' });
      return;
    }
  }

  return {
    closed,
    async keep(signal) {
      while (!signal.aborted) {
        await pause(2_000);
        const chance = random.integer(10);
        if (chance === 0) await freeze(rootNames.filter(() => random.chance(1 / SHARE)));
        else if (chance < 3) await thaw();
        else if (chance < 6) await stop();
        else if (chance === 6) await skip();
      }
    },
    async openAll() {
      await freeze([]);
      const deadline = performance.now() + OPENED_WITHIN_MS;
      while (!(await thaw())) {
        if (performance.now() > deadline)
          throw new Error('expected the console to take a thaw, found that it does not');
        await pause(1_000);
      }
    },
  };
}

/** Processes start again within seconds; on a loaded machine, within minutes. */
const OPENED_WITHIN_MS = 300_000;

/** In the console. False where a process is away, or does not answer in time. */
async function ask(stack: Stack, action: 'stop' | 'thaw' | 'skip-soak', body: object): Promise<boolean> {
  const signal = AbortSignal.timeout(30_000);
  try {
    const page = await (await fetch(`${stack.urls.console}/hosts`, { signal })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const answer = await fetch(`${stack.urls.console}/api/v1/repositories/${STORM_NAME}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
      signal,
    });
    // 202: it is under way, and may still be refused.
    return answer.status === 200;
  } catch {
    return false;
  }
}
