/** The messages between a process and its launcher. */
import type { StdoutFile } from './stdout-file.ts';

export interface Launch {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. It may hold secrets and is written nowhere. */
  readonly env: Readonly<Record<string, string>>;
  /** The standard input of the command; empty by default. */
  readonly input?: string | Uint8Array;
  /** What the command reads from descriptor 3; by default it has none. */
  readonly descriptor3?: Uint8Array | undefined;
  readonly output: LaunchOutput;
}

/**
 * `captured`: output is reported as it comes; with `stdoutFile`, stdout goes into that file instead. When the command exits,
 * the rest of its process group is killed. `file`: stdout and stderr are appended to this file; the group is left alone,
 * and outlives both processes.
 */
export type LaunchOutput =
  { readonly kind: 'captured'; readonly stdoutFile?: StdoutFile } | { readonly kind: 'file'; readonly file: string };

export type ToLauncher =
  | { readonly kind: 'launch'; readonly id: number; readonly launch: Launch }
  /** For the command's process group, unless the command has ended. */
  | { readonly kind: 'signal'; readonly id: number; readonly signal: NodeJS.Signals };

export type FromLauncher =
  | { readonly kind: 'launched'; readonly id: number }
  | { readonly kind: 'not-launched'; readonly id: number; readonly why: string }
  | { readonly kind: 'output'; readonly id: number; readonly stream: OutputStream; readonly chunk: Uint8Array }
  /** It has printed more than its file may hold. */
  | { readonly kind: 'over-limit'; readonly id: number }
  | {
      readonly kind: 'exited';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      /** Why its file lacks what it printed. */
      readonly whyNotWritten: string | undefined;
    };

export type OutputStream = 'stdout' | 'stderr';
