/** For a look before a root needs something: nothing is fetched. */
import type { Distribution } from '../errors.ts';
import { CONFTEST } from './conftest-pin.ts';
import { sourceOf } from './sources.ts';

/** A place that answers at all does so at once. */
const ANSWER_MS = 5_000;

/** Servers that list folders by themselves may take no HEAD. */
const METHOD_NOT_ALLOWED = 405;

export interface Releases {
  readonly of: Distribution | 'conftest';
  readonly mirrorUrl?: string;
  readonly signal?: AbortSignal;
}

/** Why nothing can be fetched from where releases are published, in a sentence; undefined when that answers. */
export async function whyNoReleases({ of, mirrorUrl, signal }: Releases): Promise<string | undefined> {
  const url = of === 'conftest' ? CONFTEST.archive : sourceOf(of, mirrorUrl).indexUrl;
  const found = await askForHead(url, signal);
  return found === undefined ? undefined : `expected an answer of ${url}, where ${of} is published, found ${found}`;
}

async function askForHead(url: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return response.ok || response.status === METHOD_NOT_ALLOWED ? undefined : `HTTP status ${response.status}`;
  } catch (error) {
    // fetch says "fetch failed", and the reason is its cause.
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    return `none: ${String(reason).slice(0, 200)}`;
  }
}
