import type { Verb } from '../verb.ts';
import { parseTime } from '../../arguments/names.ts';
import { findLane, LANE_DETAILS } from '../../clone/find-lane.ts';
import { EXIT } from '../../exit-code.ts';
import { shortSha, stateLook } from '../../output/looks.ts';
import { relativeTime } from '../../output/relative-time.ts';
import { showDeployments } from '../../show/deployments-table.ts';
import { noteUnavailable } from '../lists.ts';

export const lane: Verb = {
  name: 'lane',
  group: 'Look',
  summary: 'one lane: its running, waiting and ended deployments',
  details: [LANE_DETAILS],
  isRemote: true,
  arguments: [{ name: 'OWNER/NAME/ROOT', joint: '/' }],
  options: [
    { name: 'at', value: 'TIME', summary: 'what was deployed at a time like 2026-11-22T12:00:00Z, or on a day' },
  ],
  examples: [
    { command: 'nereid lane acme/infra/network', does: 'the lane of the root network' },
    { command: 'nereid lane acme/infra/network --at 2026-11-22', does: 'what was deployed when that day began' },
  ],
  async run(call) {
    const { given, screen, notes, world } = call;
    const { owner, name, root } = await findLane(world, given.argument('OWNER/NAME/ROOT'));
    const at = given.option('at');
    const query = at === undefined ? {} : { at: parseTime(at, 'at') };
    const { json, value } = await call.client().get('getLane', { parameters: { owner, name, root }, query });
    call.json(json);
    noteUnavailable(notes, value.unavailable);
    const { state, sentence, deployed, asOf, deployedThen, running, queue, history } = value;
    const when = (iso: string) => relativeTime(iso, world.now());
    screen.line({ text: `${value.repository}/${value.rootName}`, style: 'bold' }, '  ', stateLook(state));
    if (sentence !== undefined) screen.paragraph(sentence);
    const of = (one: typeof deployed) =>
      one === undefined ? 'nothing' : `${shortSha(one.sha)} (${one.status}), ${when(one.at)}`;
    screen.line(asOf === undefined ? `Deployed: ${of(deployed)}` : `Deployed at ${asOf}: ${of(deployedThen)}`);
    if (asOf !== undefined) screen.line({ text: 'Everything else is as of now.', style: 'dim' });
    const lists = [
      { title: 'Runs', rows: running ? [running] : [] },
      { title: 'Waits, in this order', rows: queue },
      { title: 'Ended', rows: history },
    ];
    for (const { title, rows } of lists) {
      if (rows.length === 0) continue;
      screen.line('');
      screen.line({ text: title, style: 'bold' });
      showDeployments(call, rows);
    }
    return EXIT.done;
  },
};
