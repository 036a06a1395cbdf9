import type { Me } from '@nereid/api';
import type { Verb } from '../../arguments/verb.ts';
import { createClient } from '../../client/client.ts';
import { EXIT, wrongUsage } from '../../exit-code.ts';
import { checkToken, connectionOf, consoleOf, refuseOpen } from '../../login/connection.ts';
import { loginFile, readLogin, writeLogin } from '../../login/login-file.ts';
import { askSecretly } from '../../output/ask.ts';
import type { World } from '../../world.ts';

export const login: Verb = {
  name: 'login',
  group: 'Set up',
  summary: 'keep a token for a console, which later calls then ask',
  details: [
    'It asks for the token, or reads it from stdin; an operator makes one with nereid token. It is kept in a file that only you can read, below XDG_CONFIG_HOME or ~/.config, once the console has said that it is good.',
  ],
  isRemote: true,
  examples: [
    { command: 'nereid login --console https://nereid.example.com', does: 'asks for the token' },
    { command: 'nereid login --console https://nereid.example.com < token.txt', does: 'in a script' },
  ],
  async run(call) {
    const { given, world, notes, screen } = call;
    const console = consoleOf(given, world);
    if (!given.has('allow-http')) refuseOpen(console);
    const token = checkToken((await readToken(world, console)).trim(), 'you');
    const { proxyAuthorization } = connectionOf(given, world);
    const client = createClient({ console, token, proxyAuthorization, signal: world.signal });
    const { json, value } = await client.get('getMe');
    const file = loginFile(world);
    const { tokens } = readLogin(file);
    writeLogin(file, { version: 1, current: console, tokens: { ...tokens, [console]: token } });
    call.json(json);
    screen.line(`Logged in to ${console} as ${nameOf(value)}.`);
    if ((world.env['NEREID_TOKEN'] ?? '') !== '') notes.line('NEREID_TOKEN is set, and goes before this login.');
    return EXIT.done;
  },
};

/** A token is a hundred characters. */
const STDIN_LIMIT = 10_000;

async function readToken(world: World, console: string): Promise<string> {
  if (world.stdin.isTTY === true) return askSecretly(world, `Token for ${console}: `);
  let text = '';
  for await (const piece of world.stdin) {
    text += String(piece);
    if (text.length > STDIN_LIMIT) throw wrongUsage('expected a token on stdin, found something longer');
  }
  return text;
}

function nameOf({ login: person, token }: Me): string {
  if (token === undefined) return `@${person}`;
  return `@${person} by the token ${token.name} (${token.scopes.join(', ')}; ${token.repositories.join(', ')})`;
}
