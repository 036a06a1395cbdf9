import { completionFor, SHELLS } from '../../arguments/completion.ts';
import type { Verb } from '../verb.ts';
import { EXIT } from '../../exit-code.ts';

export const completion: Verb = {
  name: 'completion',
  group: 'Set up',
  summary: 'print a script with which a shell completes verbs and options',
  arguments: [{ name: 'SHELL', values: SHELLS }],
  examples: [
    { command: 'source <(nereid completion bash)', does: 'for this shell; in ~/.bashrc, for all' },
    { command: 'nereid completion zsh > "${fpath[1]}/_nereid"', does: 'for zsh' },
    { command: 'nereid completion fish > ~/.config/fish/completions/nereid.fish', does: 'for fish' },
  ],
  run({ given, world, verbs }) {
    const shell = SHELLS.find((one) => one === given.argument('SHELL'));
    if (shell !== undefined) world.stdout.write(completionFor(shell, verbs));
    return Promise.resolve(EXIT.done);
  },
};
