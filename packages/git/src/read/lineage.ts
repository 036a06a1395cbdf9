/** What commits come after what, as far back as anybody asks. */
import { asLines } from '../command/git-commands.ts';
import type { Mirror } from '../mirror/mirror.ts';

/** The parents of each commit. */
export type Lineage = ReadonlyMap<string, readonly string[]>;

/** As many as a deployment brings at most. Git lists them within a tenth of a second. */
const COMMITS_LIMIT = 2_000;

/** The newest commits that some others contain, themselves included; what the mirror lacks is left out. */
export async function readLineage(
  mirror: Pick<Mirror, 'read' | 'presentOf'>,
  shas: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const present = await mirror.presentOf(shas, signal);
  if (present.length === 0) return new Map();
  const args = ['--parents', `--max-count=${COMMITS_LIMIT}`, '--stdin'];
  const { stdout } = await mirror.read({ verb: 'rev-list', args, input: asLines(present), signal });
  const lines = stdout.toString().split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ')).map(([sha = '', ...parents]) => [sha, parents]));
}
