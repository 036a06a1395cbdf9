import type { Verb } from '../verb.ts';
import { EXIT } from '../../exit-code.ts';

export const windows: Verb = {
  name: 'windows',
  group: 'Set up',
  summary: 'list the next openings and closings of a root, by the windows of the server’s file',
  details: [
    'It reads the server’s file, and the repository in a check-out; it asks nobody. In a clone, the name of the root alone is enough.',
  ],
  arguments: [{ name: 'OWNER/NAME/ROOT', joint: '/' }],
  options: [
    { name: 'server', value: 'FILE', summary: 'the server’s file (nereid.server.yaml)' },
    { name: 'checkout', value: 'FOLDER', summary: 'where the files of the repository are (this folder)' },
  ],
  examples: [
    {
      command: 'nereid windows acme/infra/network --server ~/nereid.server.yaml',
      does: 'when its plans and applies go on, and which windows say so',
    },
  ],
  async run(call) {
    // They read YAML, which takes longer to load than the rest.
    const [{ listWindows }, { directoriesOf }, { findRootAtHand }] = await Promise.all([
      import('@nereid/config/explain'),
      import('@nereid/config'),
      import('./root-at-hand.ts'),
    ]);
    const { server, repository, found } = await findRootAtHand(call, call.given.argument('OWNER/NAME/ROOT'));
    const { config, realDir } = found;
    const place = { name: config.name, dirs: directoriesOf({ dir: config.dir, realDir }) };
    for (const line of listWindows(server.config, repository, place, Date.now())) call.screen.line(line);
    return EXIT.done;
  },
};
