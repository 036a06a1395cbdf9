import type { LaneSummary, RolloutSummary } from '@nereid/api';
import { ICONS } from '@nereid/domain/looks';
import type { Verb } from '../verb.ts';
import type { Call } from '../../call.ts';
import { EXIT } from '../../exit-code.ts';
import { shortSha, stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { noteUnavailable } from '../lists.ts';

export const attention: Verb = {
  name: 'attention',
  group: 'Look',
  summary: 'everything that waits for a person, the most urgent first, then running work',
  isRemote: true,
  examples: [
    { command: 'nereid', does: 'the same' },
    { command: 'nereid attention --json', does: 'for a program' },
  ],
  async run(call) {
    const client = call.client();
    const { json, value } = await client.get('getAttention');
    const { lanes, hosts, rollouts } = value;
    const halted = rollouts.filter((rollout) => rollout.halted !== undefined);
    call.json(json);
    noteUnavailable(call.notes, lanes.unavailable);
    for (const rollout of halted) showHalted(call, rollout);
    for (const host of hosts ?? []) {
      const heard = relativeTime(host.at, call.world.now());
      call.screen.line(stateLook(host.state), ` host ${host.id}, last heard from ${heard}`);
    }
    for (const lane of lanes.items) showLane(call, client.console, lane);
    if (lanes.items.length === 0 && hosts?.length === 0 && halted.length === 0)
      call.screen.line('Nothing waits for a person, and nothing is at work.');
    return EXIT.done;
  },
};

const INDENT = 2;

const HALTED = { text: 'halted', style: 'red', icon: ICONS.alert } as const;

/** Before everything else: all of its other waves wait for a person. */
function showHalted({ screen, world }: Call, { repository, sha, title, at, halted = '' }: RolloutSummary): void {
  const name = `${repository} ${shortSha(sha)}`;
  screen.line({ text: name, style: 'bold' }, '  ', HALTED, {
    text: `  ${relativeTime(at, world.now())}`,
    style: 'dim',
  });
  screen.paragraph(halted, INDENT);
  screen.paragraph(`“${title}”`, INDENT);
  screen.line(' '.repeat(INDENT), { text: `nereid rollout ${name}`, style: 'dim' });
}

function showLane({ screen, world }: Call, console: string, lane: LaneSummary): void {
  const { repository, rootName, state, sentence, since, running } = lane;
  const name = `${repository}/${rootName}`;
  const ago = since === undefined ? '' : `  ${relativeTime(since, world.now())}`;
  screen.line({ text: name, style: 'bold' }, '  ', stateLook(state), { text: ago, style: 'dim' });
  if (sentence !== undefined) screen.paragraph(sentence, INDENT);
  if (running) screen.paragraph(`“${running.title}” ${console}/${running.path}`, INDENT);
  for (const command of commandsFor(lane, name))
    screen.line(' '.repeat(INDENT), { text: `nereid ${command}`, style: 'dim' });
}

/** What a person would do next; of several, the first is mostly right. */
function commandsFor({ state, lock, running }: LaneSummary, name: string): readonly string[] {
  if (state === 'review') return [`confirm ${name}`];
  if (running) return [`logs -f ${name}`];
  if (lock === undefined) return [];
  const unlock = `unlock ${name}`;
  return lock.kind === 'failed' ? [`rerun ${lock.deploymentId}`, `${unlock}  # if the next merge mends it`] : [unlock];
}
