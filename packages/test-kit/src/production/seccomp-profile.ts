import { readRepositoryFile } from '../repository.ts';

/** What the processes of a worker's container may ask the kernel for, as runtimes of containers read it. */
export interface SeccompProfile {
  readonly defaultAction: string;
  readonly syscalls: readonly SeccompRule[];
}

export interface SeccompRule {
  readonly names: readonly string[];
  readonly action: string;
  readonly args?: readonly { readonly index: number; readonly value: number; readonly op: string }[];
}

export async function readSeccompProfile(): Promise<SeccompProfile> {
  return JSON.parse(await readRepositoryFile('.config/production/worker-seccomp.json')) as SeccompProfile; // A test reads it.
}
