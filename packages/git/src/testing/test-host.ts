/** A git server with one repository, and the mirrors of a host that fetches from it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMirrors, type Mirrors, type MirrorsOptions } from '../mirrors.ts';
import { startGitServer, type GitServer, type GitServerOptions } from './git-server.ts';
import type { TestRepository } from './test-repository.ts';

export interface TestHost {
  readonly dir: string;
  readonly server: GitServer;
  /** `acme/infra` on the server. */
  readonly upstream: TestRepository;
  readonly repository: { readonly owner: string; readonly name: string; readonly installationId: number };
  readonly mirrors: Mirrors;
  /** Where the mirror of `acme/infra` is. */
  readonly mirrorDir: string;
  /** Mirrors as another process, or another host, would make them. */
  openMirrors(options?: Partial<MirrorsOptions>): Mirrors;
  close(): Promise<void>;
}

export async function startTestHost(options: Omit<GitServerOptions, 'dir'> = {}): Promise<TestHost> {
  const dir = await mkdtemp(join(tmpdir(), 'nereid-git-'));
  await mkdir(join(dir, 'server'));
  const server = await startGitServer({ ...options, dir: join(dir, 'server') });
  const openMirrors = (changes: Partial<MirrorsOptions> = {}) =>
    createMirrors({
      dataDir: join(dir, 'data'),
      workDir: join(dir, 'work'),
      hostId: 'h1',
      gitUrl: server.url,
      authorization: async () => Promise.resolve(options.authorization),
      environment: process.env,
      ...changes,
    });
  return {
    dir,
    server,
    upstream: await server.createRepository('acme/infra'),
    repository: { owner: 'acme', name: 'infra', installationId: 1 },
    mirrors: openMirrors(),
    mirrorDir: join(dir, 'data', 'mirrors', 'acme', 'infra.git'),
    openMirrors,
    async close() {
      await server.close();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
