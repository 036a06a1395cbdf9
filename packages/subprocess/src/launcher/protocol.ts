/** What a process and its launcher say to each other. */

export interface Launch {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; may hold secrets, and is written nowhere. */
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from its standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array;
  readonly output: LaunchOutput;
}

/**
 * `captured`: told as it comes; with `stdoutFile`, stdout goes there instead. What is left of the process group is killed
 * when the command exits. `file`: both into the end of this file; the group is left alone, and outlives everything.
 */
export type LaunchOutput =
  { readonly kind: 'captured'; readonly stdoutFile?: string } | { readonly kind: 'file'; readonly file: string };

export type ToLauncher =
  | { readonly kind: 'launch'; readonly id: number; readonly launch: Launch }
  /** To the command's process group, unless the command has ended. */
  | { readonly kind: 'signal'; readonly id: number; readonly signal: NodeJS.Signals };

export type FromLauncher =
  | { readonly kind: 'launched'; readonly id: number }
  | { readonly kind: 'not-launched'; readonly id: number; readonly why: string }
  | { readonly kind: 'output'; readonly id: number; readonly stream: OutputStream; readonly chunk: Uint8Array }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    };

export type OutputStream = 'stdout' | 'stderr';
