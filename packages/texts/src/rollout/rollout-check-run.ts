/** The check run `nereid/rollout`: how all roots of one revision are doing, in one table. A pure function. */
import { ROLLOUT_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { describeWave, type WaveBefore } from '@nereid/domain/gates';
import { ICONS, STAND_LOOK, STATUS_LOOK, type Look } from '@nereid/domain/looks';
import { hasRootEnded, STAND_OF, STANDS, type RootState, type Stand, type Wave } from '@nereid/domain/rollout';
import { code, link, sentence, type CheckRunConclusion, type CheckRunContent } from '@nereid/forge';
import { describeNextWave, openedBy, rerunThatResumes } from './next-wave.ts';

export interface RolloutSubject {
  readonly headSha: string;
  readonly externalId: string;
  /** The page of the rollout. */
  readonly pageUrl: string;
  readonly roots: readonly RootState[];
  /** Empty where its roots go in no waves. */
  readonly waves?: readonly Wave[];
  /** The first wave that is not over, if others wait for it. */
  readonly before?: WaveBefore | undefined;
  /** The page of a deployment. */
  readonly urlOf: (root: RootState) => string;
  /** Nobody looks any more how the roots are doing. */
  readonly isLeft: boolean;
}

/** Below the forge's limit: a longer table is no easier to read than its page. */
const TABLE_BYTES = 60_000;

export function renderRollout({
  roots,
  waves = [],
  before,
  pageUrl,
  urlOf,
  isLeft,
  ...subject
}: RolloutSubject): CheckRunContent {
  const counts = countsOf(roots);
  return {
    name: ROLLOUT_CHECK_RUN_NAME,
    ...subject,
    detailsUrl: pageUrl,
    ...stateOf(roots, counts, isLeft),
    title: `${rootsText(roots.length)}: ${countsText(counts)}${isHalted(before) ? ', halted' : ''}`,
    summary: [
      leadOf(roots, pageUrl, isLeft),
      ...(before === undefined ? [] : [nextWaveText(before, { waves, roots })]),
      tableOf(roots, { waves, pageUrl, urlOf }),
    ].join('\n\n'),
    actions: [],
  };
}

function nextWaveText(
  before: WaveBefore,
  { waves, roots }: Pick<RolloutSubject, 'roots'> & { readonly waves: readonly Wave[] },
): string {
  const why = sentence(describeNextWave(describeWave(before), openedBy(before.standing)));
  if (!isHalted(before)) return why;
  const names = waves[before.number - 1]?.rootNames ?? [];
  const ofWave = roots.filter(({ rootName }) => names.includes(rootName));
  const rerun = rerunThatResumes(ofWave.map((root) => ({ ...root, stand: standOf(root) })));
  return rerun === undefined ? why : `${why} In a terminal, ${code(rerun.command)} re-runs ${code(rerun.rootName)}.`;
}

function isHalted(before: WaveBefore | undefined): boolean {
  return before?.standing.kind === 'halted' || before?.standing.kind === 'check-failed';
}

type Counts = ReadonlyMap<Stand, number>;

function countsOf(roots: readonly RootState[]): Counts {
  const byStand = Map.groupBy(roots, standOf);
  return new Map(
    STANDS.flatMap((stand) => (byStand.has(stand) ? [[stand, byStand.get(stand)?.length ?? 0] as const] : [])),
  );
}

function standOf({ status }: RootState): Stand {
  return status === 'ending' ? 'working' : STAND_OF[status];
}

function countsText(counts: Counts): string {
  return [...counts].map(([stand, count]) => `${count} ${STAND_LOOK[stand].word.toLowerCase()}`).join(', ');
}

/** A question to a person is on the check run of its root: this one is completed once, because a completed one is not reopened. */
function stateOf(
  roots: readonly RootState[],
  counts: Counts,
  isLeft: boolean,
): Pick<CheckRunContent, 'status' | 'conclusion'> {
  if (!isLeft && !roots.every(hasRootEnded)) return { status: 'in_progress' };
  return { status: 'completed', conclusion: conclusionOf(counts) };
}

function conclusionOf(counts: Counts): CheckRunConclusion {
  if (counts.has('failed')) return 'failure';
  return [...counts.keys()].every((stand) => stand === 'done') ? 'success' : 'neutral';
}

function leadOf(roots: readonly RootState[], pageUrl: string, isLeft: boolean): string {
  const page = link('Its page', pageUrl);
  if (isLeft) return `Some roots have not ended after a month, so this table is no longer updated. ${page} still is.`;
  if (roots.every(hasRootEnded)) return `All deployments of this revision have ended. ${page} has their times.`;
  return `This table is updated while the roots go on, less often as time passes. ${page} is always up to date.`;
}

function tableOf(
  roots: readonly RootState[],
  { waves, pageUrl, urlOf }: Pick<RolloutSubject, 'pageUrl' | 'urlOf'> & { readonly waves: readonly Wave[] },
): string {
  const isInWaves = waves.length > 0;
  const waveOf = new Map(waves.flatMap(({ rootNames }, index) => rootNames.map((name) => [name, index + 1] as const)));
  const lines = isInWaves ? ['| Root | Wave | State |', '| --- | --- | --- |'] : ['| Root | State |', '| --- | --- |'];
  let bytes = 0;
  const sorted = roots.toSorted(byUrgency);
  for (const [index, root] of sorted.entries()) {
    const wave = isInWaves ? ` ${waveOf.get(root.rootName) ?? '–'} |` : '';
    const line = `| ${link(code(root.rootName), urlOf(root))} |${wave} ${stateText(root)} |`;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > TABLE_BYTES) {
      const left = sorted.length - index;
      return [...lines, '', `${link(`${rootsText(left)} more`, pageUrl)}, none of them more urgent.`].join('\n');
    }
    lines.push(line);
  }
  return lines.join('\n');
}

function byUrgency(one: RootState, other: RootState): number {
  return STANDS.indexOf(standOf(one)) - STANDS.indexOf(standOf(other)) || (one.rootName < other.rootName ? -1 : 1);
}

/** More would not fit on a line. */
const NAMED = 3;

function stateText(root: RootState): string {
  const { icon, word } = chooseLook(root);
  return `${ICONS[icon]} ${word}${waitText(root)}`;
}

const ENDING: Look = { icon: 'work', mood: 'working', word: 'Ending' };

function chooseLook({ status }: RootState): Look {
  return status === 'ending' ? ENDING : STATUS_LOOK[status];
}

function waitText({ waitsFor, isCarried }: RootState): string {
  if (isCarried) return ': goes with a later revision';
  const { named, count } = waitsFor;
  if (count === 0) return '';
  const shown = named.slice(0, NAMED);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `: waits for ${shown.map((name) => code(name)).join(', ')}${more}`;
}

function rootsText(count: number): string {
  return count === 1 ? '1 root' : `${count} roots`;
}
