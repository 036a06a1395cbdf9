/** A person who confirms a plan in the console, and turns to another console when one is away. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Page {
  /** The deployment's. */
  readonly id: string;
  /** `owner/repo/root`. */
  readonly lane: string;
}

/** A console is back within seconds; on a loaded machine, within a minute. */
const DEADLINE_MS = 120_000;

const PAUSE_MS = 500;

/** Throws the last answer when no console has taken the press by the deadline. */
export async function confirmInConsole(consoles: readonly string[], page: Page): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let turn = 0; ; turn += 1) {
    const url = consoles[turn % consoles.length] ?? '';
    const answer = await confirm(url, page).catch(String);
    if (answer === 'taken') return;
    if (performance.now() > deadline)
      throw new Error(`expected a console to take a press on ${page.id}, found ${answer}`);
    await pause(PAUSE_MS);
  }
}

/** The key is the same each time: a press whose answer was lost is not another press. */
async function confirm(url: string, { id, lane }: Page): Promise<string> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const page = await (await fetch(`${url}/deployments/${id}?lane=${lane}`, { signal })).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
  const answer = await fetch(`${url}/api/v1/deployments/${id}/confirm?lane=${lane}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': field('csrf'), 'idempotency-key': `confirm-${id}` },
    body: JSON.stringify({ seen: field('seen') }),
    signal,
  });
  return answer.ok ? 'taken' : `${answer.status} ${await answer.text()}`;
}
