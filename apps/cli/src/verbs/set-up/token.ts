import type { Verb } from '../../arguments/verb.ts';
import { EXIT } from '../../exit-code.ts';

export const token: Verb = {
  name: 'token',
  group: 'Set up',
  summary: 'make a token for a script, and its entry for the server’s file',
  details: ['It is printed once and kept nowhere; the file has only its hash.'],
  examples: [
    {
      command: 'nereid token',
      does: 'give the first line to the script as NEREID_TOKEN, the rest to the server’s file',
    },
  ],
  options: [{ name: 'json', summary: 'print the token and its hash as JSON' }],
  async run({ world, given, json }) {
    // Verifying logins needs more than the other verbs do.
    const { hashOfToken, newToken } = await import('@nereid/identity');
    const made = newToken();
    const sha256 = hashOfToken(made);
    json({ token: made, sha256 });
    if (!given.has('json')) world.stdout.write(`${made}\n${entryFor(sha256)}`);
    return EXIT.done;
  },
};

function entryFor(sha256: string): string {
  return [
    '',
    'console:',
    '  tokens:',
    '    - name: NAME # shown where it acts',
    `      sha256: ${sha256}`,
    '      login: LOGIN # the GitHub login whose permissions it has',
    '      scopes: [read] # also review, deploy, unlock, cancel, plan, override',
    '      repositories: [OWNER/NAME]',
    '      expires: YYYY-MM-DD',
    '',
  ].join('\n');
}
