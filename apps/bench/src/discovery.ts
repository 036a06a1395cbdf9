/**
 * Compares warm root discovery with the clone that it replaces, in turns in the same run: from the fetch of a merge to the
 * list of its modified roots, against `git clone --depth 5` of the same repository from the same server.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyFor, readServerConfig, type RepositoryPolicy } from '@nereid/config';
import { openDiscovery, type Discovery } from '@nereid/discovery';
import { createMirrors, type Mirrors } from '@nereid/git';
import { runTestGit, startGitServer, type GitServer, type TestRepository } from '@nereid/git/testing';
import { median, timed } from './timing.ts';
import { changeOf, fillRepository, ROOTS } from './discovery/sample-repository.ts';

export interface DiscoveryBench {
  /** Medians, milliseconds. */
  readonly discoveryMs: number;
  readonly cloneMs: number;
  /** How many times faster discovery is. */
  readonly ratio: number;
  /** The very first discovery, which makes the mirror too. */
  readonly coldMs: number;
  readonly modified: number;
  readonly roots: number;
}

/** Enough that a slow round does not change the median. */
const ROUNDS = 7;

const repository = { owner: 'acme', name: 'infra', installationId: 1 };

/** `environment` is the one of the process: git is found through it. */
export async function benchDiscovery(environment: NodeJS.ProcessEnv): Promise<DiscoveryBench> {
  const dir = await mkdtemp(join(tmpdir(), 'nereid-bench-'));
  await mkdir(join(dir, 'server'));
  const server = await startGitServer({ dir: join(dir, 'server') });
  try {
    return await measure(dir, server, environment);
  } finally {
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(dir: string, server: GitServer, environment: NodeJS.ProcessEnv): Promise<DiscoveryBench> {
  const upstream = await server.createRepository('acme/infra');
  let before = await fillRepository(upstream);
  await upstream.git('gc', '--quiet');
  await using discovery = openDiscovery();
  discovery.warm();
  const mirrors = createMirrors(mirrorOptions(dir, server, environment));
  const discover = createDiscovery(discovery, mirrors, permissivePolicy());

  const [coldMs] = await timed(async () => discover({ before: '0'.repeat(40), after: before }));
  const discoveries: number[] = [];
  const clones: number[] = [];
  let modified = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const after = await merge(upstream, round);
    const [discoveryMs, count] = await timed(async () => discover({ before, after }));
    const [cloneMs] = await timed(async () => clone(dir, server));
    discoveries.push(discoveryMs);
    clones.push(cloneMs);
    modified = count;
    before = after;
  }
  const discoveryMs = median(discoveries);
  const cloneMs = median(clones);
  return { discoveryMs, cloneMs, ratio: cloneMs / discoveryMs, coldMs, modified, roots: ROOTS };
}

function mirrorOptions(dir: string, server: GitServer, environment: NodeJS.ProcessEnv) {
  return {
    dataDir: join(dir, 'data'),
    workDir: join(dir, 'work'),
    hostId: 'bench',
    gitUrl: server.url,
    authorization: async () => Promise.resolve(undefined),
    environment,
  };
}

function createDiscovery(discovery: Discovery, mirrors: Mirrors, policy: RepositoryPolicy) {
  return async ({ before, after }: { readonly before: string; readonly after: string }): Promise<number> => {
    const { base, files } = await mirrors.changedFiles(repository, { kind: 'push', before, after });
    const discovered = await discovery.discoverRoots({
      repository: 'acme/infra',
      tree: mirrors.tree(repository, after),
      changed: files,
      policy,
      ...(base !== undefined && { before: mirrors.tree(repository, base) }),
    });
    if (discovered.kind === 'problems') throw new Error('expected the sample repository to have no problems');
    return discovered.modified.length;
  };
}

async function merge(upstream: TestRepository, round: number): Promise<string> {
  return upstream.commit({ files: changeOf(10_000 + round), message: `merge ${round}` });
}

async function clone(dir: string, server: GitServer): Promise<void> {
  const target = join(dir, 'clone');
  await rm(target, { recursive: true, force: true });
  await runTestGit(dir, ['clone', '--quiet', '--depth', '5', `${server.url}acme/infra.git`, target]);
}

/** Every repository is allowed. The schema requires the rest; nothing here uses it. */
const SERVER_CONFIG = `
repositories: [{ match: "*/*" }]
storage: { deployments: "file:/tmp", plans: "file:/tmp", logs: "file:/tmp" }
audit: { to: "file:/tmp/audit" }
`;

function permissivePolicy(): RepositoryPolicy {
  const read = readServerConfig(SERVER_CONFIG);
  const policy = read.kind === 'ok' ? policyFor(read.config, 'acme/infra') : undefined;
  if (!policy) throw new Error('expected the policy of this benchmark to be valid');
  return policy;
}
