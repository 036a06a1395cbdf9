/** What the tests of this package are built from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, DeploymentRecord } from '@nereid/domain/deployment';
import type { LaneRecord } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { aRoot } from '@nereid/domain/testing';
import { afterAll } from '@jest/globals';

/** A folder of its own for the caller, removed after the file's tests. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-storage-'));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];

afterAll(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
});

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await collect(stream));
}

// eslint-disable-next-line @typescript-eslint/require-await -- a source of bytes that has them all
export async function* streamOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** All of these waits take milliseconds; only what hangs takes minutes. */
const DEADLINE_MS = 120_000;

/** Asks until the answer is something. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${DEADLINE_MS} ms in vain for ${what}`);
    await sleep(5);
  }
}

export const aRepository: Repository = { owner: 'acme', name: '.github', installationId: 7 };

export function aDeployment(change: Partial<Deployment> = {}): Deployment {
  return {
    id: '4f1d7c52-0000-4000-8000-000000000001',
    requestId: 'delivery:network',
    root: aRoot(),
    revision: { sha: 'a'.repeat(40), branch: 'main', position: 12, title: 'Widen the network', author: 'alice' },
    trigger: 'merge',
    rerun: false,
    force: false,
    requestedBy: 'alice',
    receivedAt: '2026-11-20T10:00:00.000Z',
    progress: { status: 'succeeded', times: {}, jobs: {} },
    checkRuns: [],
    ...change,
  };
}

export function aDeploymentRecord(id: string, endedAt: string): DeploymentRecord {
  return { version: 1, repository: aRepository, deployment: aDeployment({ id }), endedAt };
}

export function aLaneRecord(change: Partial<LaneRecord> = {}): LaneRecord {
  return {
    version: 1,
    repository: aRepository,
    rootName: 'network',
    manual: [],
    merged: [aDeployment({ progress: { status: 'queued', times: {}, jobs: {} } })],
    seen: { requestIds: ['delivery:network'], merges: ['a'.repeat(40)] },
    writer: { runId: 'run-1', sequence: 1 },
    ...change,
  };
}
