import { parsePull } from '../../arguments/names.ts';
import type { Verb } from '../verb.ts';
import { EXIT } from '../../exit-code.ts';
import { stateLook } from '../../output/looks.ts';
import { progressText } from '../../show/progress-text.ts';
import { noteUnavailable } from '../lists.ts';

export const pull: Verb = {
  name: 'pull',
  group: 'Look',
  summary: 'the plans of a pull request',
  details: ['PULL is a pull request like acme/infra#12, or its address.'],
  isRemote: true,
  arguments: [{ name: 'PULL', joint: '#' }],
  examples: [{ command: "nereid pull 'acme/infra#12'", does: 'what its merge would change' }],
  async run(call) {
    const { owner, name, number } = parsePull(call.given.argument('PULL'));
    const { json, value } = await call.client().get('getPullRequest', { parameters: { owner, name, number } });
    call.json(json);
    noteUnavailable(call.notes, value.unavailable);
    const { title = '', headline, previews, verdict, unplanned, configWarnings = [], links } = value;
    call.screen.line({ text: `${owner}/${name}#${number}`, style: 'bold' }, `  ${title}`);
    call.screen.line(headline);
    for (const line of verdict?.lines ?? []) call.screen.paragraph(line, 2);
    for (const warning of configWarnings) call.screen.paragraph(`Configuration: ${warning}`, 2);
    call.screen.table(
      [{ title: 'ROOT' }, { title: 'DEPLOYMENT' }, { title: 'STATUS' }, { title: 'PLAN', isFlexible: true }],
      previews.map(({ rootName, deploymentId, planned, isUnread }) => [
        ...[rootName, deploymentId],
        planned === undefined ? (isUnread ? 'cannot be read' : 'gone') : stateLook(planned.progress.status),
        planned === undefined ? '' : progressText(planned),
      ]),
    );
    if (unplanned > 0) call.screen.line(`${unplanned} more roots are not planned`);
    call.screen.line(links.pullRequest);
    return EXIT.done;
  },
};
