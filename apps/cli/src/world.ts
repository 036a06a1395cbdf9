/** Everything that `nereid` has of the machine that it runs on. */
import type { Readable } from 'node:stream';

export interface World {
  /** Without the program's own name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's own folder. */
  readonly home: string;
  /** The one in which it was started. */
  readonly folder: string;
  /** The id of the person on this machine; undefined where people have none. */
  readonly user: number | undefined;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C, or when nobody reads the output any more; the reason is an `ExitError`. */
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export type Input = Readable & { readonly isTTY?: boolean };

export interface Output {
  /** False when it is full, until it has drained. */
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  /** Somebody looks at it. */
  readonly isTTY?: boolean;
  /** How wide the terminal is, in characters. */
  readonly columns?: number;
}
