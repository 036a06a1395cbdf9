/** What a verb gets: what was typed, the console, and where to print. */
import { createClient, type Client } from './client/client.ts';
import type { Given } from './arguments/parse-arguments.ts';
import type { VerbDescription } from './arguments/verb-description.ts';
import { parseDuration } from './arguments/duration.ts';
import { EXIT, ExitError } from './exit-code.ts';
import { connectionOf } from './login/connection.ts';
import { loginFile } from './login/login-file.ts';
import { createRenewal, isSession } from './login/session-renewal.ts';
import { jsonLine } from './output/clean-text.ts';
import { hasColours } from './output/colours.ts';
import { createScreen, type Screen } from './output/screen.ts';
import type { Output, World } from './world.ts';

export interface Call {
  readonly given: Given;
  readonly world: World;
  /** All of them. */
  readonly verbs: readonly VerbDescription[];
  /** What was asked for. Silent with `--json`. */
  readonly screen: Screen;
  /** What happens meanwhile, and what is wrong. */
  readonly notes: Screen;
  /** Prints one line with `--json`, and otherwise nothing. */
  readonly json: (value: unknown) => void;
  /** Throws a sentence when a setting is wrong. */
  readonly client: () => Client;
  /** Aborted after `--timeout`; `whatGoesOn` is a clause for that case. */
  readonly within: (defaultMs: number | undefined, whatGoesOn: string) => AbortSignal;
}

export interface CallInput {
  readonly given: Given;
  readonly world: World;
  readonly verbs: readonly VerbDescription[];
}

export function createCall({ given, world, verbs }: CallInput): Call {
  const { stdout, stderr, signal, env } = world;
  const isJson = given.has('json');
  return {
    given,
    world,
    verbs,
    screen: isJson ? SILENT : screenOn(stdout, env),
    notes: screenOn(stderr, env),
    json(value) {
      if (isJson) stdout.write(jsonLine(value));
    },
    client() {
      const connection = connectionOf(given, world);
      const renew = isSession(connection.token) ? createRenewal(connection, loginFile(world), signal) : undefined;
      return createClient({ ...connection, renew, signal });
    },
    within(defaultMs, whatGoesOn) {
      const typed = given.option('timeout');
      const ms = typed === undefined ? defaultMs : parseDuration(typed, 'timeout');
      return ms === undefined ? signal : AbortSignal.any([signal, endAfter(ms, typed, whatGoesOn)]);
    },
  };
}

const SILENT: Screen = createScreen({ write: () => undefined, hasColours: false, width: undefined });

export function screenOn(output: Output, env: World['env']): Screen {
  return createScreen({
    write: (text) => output.write(text),
    hasColours: hasColours(output, env),
    width: output.isTTY === true ? output.columns : undefined,
  });
}

function endAfter(ms: number, typed: string | undefined, whatGoesOn: string): AbortSignal {
  const late = new AbortController();
  const after = typed ?? `${ms / 1_000}s`;
  const end = () => {
    late.abort(new ExitError(EXIT.timedOut, `no end within ${after}: ${whatGoesOn}`));
  };
  setTimeout(end, ms).unref();
  return late.signal;
}
