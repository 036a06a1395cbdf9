/**
 * A made-up week: repositories with their commits and pull requests on the stand-in for GitHub, and all that Nereid would have
 * kept of them. Their lanes rest, so no worker resumes them; from then on, they are deployed and unlocked like any others.
 */
import { fullName } from '@nereid/domain/root';
import type { HostRecord } from '@nereid/domain/host';
import { createHostRecords } from '@nereid/storage';
import { oldFiles } from './edit.ts';
import { filesOf } from '../fleet/root-files.ts';
import { createRandom } from '../random.ts';
import { hasRepository } from '../sample/repository.ts';
import type { Stack } from '../stack/stack.ts';
import { MADE_UP_PEOPLE, MADE_UP_REPOSITORIES } from './made-up-repositories.ts';
import { makeWeek } from './make-week.ts';
import { DAY_MS } from './moments.ts';
import { uuid } from './uuid.ts';
import type { RepositoryWeek } from './week.ts';
import { writeWeek, type Stores } from './write-week.ts';

/** Any number: another one makes up another week. */
const SEED = 1846;

/** Writes it unless an earlier run did. */
export async function ensureHistory(
  { github, storage }: Pick<Stack, 'github' | 'storage'>,
  nowMs = Date.now(),
): Promise<'created' | 'found'> {
  const [first] = MADE_UP_REPOSITORIES;
  if (first === undefined || (await hasRepository(github, fullName(first)))) return 'found';
  const stores = { records: await storage.openObjects('deployments'), logs: await storage.openObjects('logs') };
  const random = createRandom(SEED);
  const hosts = { present: uuid(random), lost: uuid(random) };
  try {
    const weeks = MADE_UP_REPOSITORIES.map((repository) => makeWeek(repository, { random, hosts, nowMs }));
    for (const week of weeks) await bring(github, stores, week);
    await createHostRecords(stores.records).write(lostHost(hosts.lost, weeks, nowMs));
  } finally {
    stores.records.close();
    stores.logs.close();
  }
  return 'created';
}

/** Heard of last soon after its apply began. */
function lostHost(hostId: string, weeks: readonly RepositoryWeek[], nowMs: number): HostRecord {
  const applies = weeks.flatMap(({ deployments }) => deployments.filter(({ progress }) => progress.hostId === hostId));
  const beganMs = Date.parse(applies.at(-1)?.progress.times.applying ?? '') || nowMs;
  const at = new Date(beganMs + 20_000).toISOString();
  const startedAt = new Date(nowMs - 6 * DAY_MS).toISOString();
  return { version: 1, hostId, at, startedAt, slots: { total: 4, used: 1 }, draining: false };
}

async function bring(github: Stack['github'], stores: Stores, week: RepositoryWeek): Promise<void> {
  const { repository, createdAt, changes } = week;
  const name = fullName(repository);
  const rootNames = repository.roots.map((root) => root.name);
  const readme = `# ${repository.name}\n\nIts last week is made up.\n`;
  const files = { ...filesOf(readme, rootNames), ...oldFiles(repository.roots) };
  const created = { owner: repository.owner, name: repository.name, files, collaborators: MADE_UP_PEOPLE, createdAt };
  const { installationId } = await github.createRepository(created);
  await github.addPastChanges(name, changes);
  const shaOf = (number: number) => github.pullRequest({ repository: name, number }).headSha;
  await writeWeek(stores, week, { installationId, shaOf });
}
