import type { LaneWaits } from '@nereid/api';
import type { Verb } from '../verb.ts';
import { findLane, LANE_DETAILS } from '../../clone/find-lane.ts';
import { EXIT } from '../../exit-code.ts';
import type { Screen } from '../../output/screen.ts';
import { shortSha, stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { noteUnavailable } from '../lists.ts';

export const why: Verb = {
  name: 'why',
  group: 'Look',
  summary: 'why the deployments of a root wait: everything that holds each of them up, and who can end that',
  details: [LANE_DETAILS],
  isRemote: true,
  arguments: [{ name: 'OWNER/NAME/ROOT', joint: '/' }],
  examples: [
    { command: 'nereid why acme/infra/network', does: 'what runs there first, then what waits, in its order' },
    { command: 'nereid why network', does: 'in a clone of acme/infra' },
  ],
  async run(call) {
    const { given, screen, notes, world } = call;
    const { owner, name, root } = await findLane(world, given.argument('OWNER/NAME/ROOT'));
    const { json, value } = await call.client().get('getWaits', { parameters: { owner, name, root } });
    call.json(json);
    noteUnavailable(notes, value.unavailable);
    const lane = `${value.repository}/${value.rootName}`;
    const isQuiet = value.items.every(({ reasons }) => reasons.length === 0);
    screen.line(isQuiet ? `Nothing waits in ${lane}.` : { text: lane, style: 'bold' });
    for (const item of value.items) showItem(screen, item, world.now());
    if (isQuiet && value.lock !== undefined) screen.line(describeLocked(value.lock, lane));
    if (value.halts !== undefined) screen.line(describeHalt(value.halts, lane));
    return EXIT.done;
  },
};

function describeLocked({ kind, sentence, deploymentId }: NonNullable<LaneWaits['lock']>, lane: string): string {
  if (kind !== 'failed') return `It is locked by ${sentence}: the next deployment will wait until somebody unlocks it.`;
  const [rerun, unlock] = [`nereid rerun ${deploymentId}`, `nereid unlock ${lane}`];
  return `It is locked by ${sentence}: the next deployment will wait. ${rerun} plans what is left; ${unlock} is for a next merge that mends it.`;
}

function describeHalt({ roots, deploymentId }: NonNullable<LaneWaits['halts']>, lane: string): string {
  const many = roots === 1 ? 'one root' : `${roots} roots`;
  return `Its failed deployment halts ${many} of the rollout: nereid rerun ${deploymentId ?? lane}, or a merged fix, resumes it.`;
}

type Item = LaneWaits['items'][number];

function showItem(screen: Screen, item: Item, now: number): void {
  const { sha, requestedBy, status, title, reasons, closing, glass } = item;
  screen.line('');
  screen.line({ text: shortSha(sha), style: 'bold' }, ` by @${requestedBy}  `, stateLook(status), `  ${title}`);
  if (reasons.length === 0) screen.line(`  ${ofItself(status)}`);
  for (const { gate, sentence, who, endsAt } of reasons) {
    screen.line('  ', { text: gate, style: 'yellow' }, `: ${sentence}`);
    for (const one of who) screen.line(`    ${one}`);
    if (endsAt !== undefined) screen.line(`    ends by itself ${relativeTime(endsAt, now)} (${endsAt})`);
  }
  if (closing !== undefined) screen.line('  ', { text: 'window', style: 'yellow' }, `: ${closing}`);
  if (glass !== undefined) showGlass(screen, glass, now);
}

function showGlass(screen: Screen, { by, reason, at, until, door }: NonNullable<Item['glass']>, now: number): void {
  const passes = `@${by} lets its ${door} pass stops and windows: ${reason}`;
  screen.line('  ', { text: 'break-glass', style: 'yellow' }, `: ${passes}`);
  screen.line(`    since ${relativeTime(at, now)} (${at}), ends by itself ${relativeTime(until, now)} (${until})`);
}

function ofItself(status: string): string {
  return status === 'queued' ? 'It is next in its lane, and begins by itself.' : 'It waits for nothing.';
}
