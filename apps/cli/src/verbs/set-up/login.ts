import type { Me } from '@nereid/api';
import type { Verb } from '../verb.ts';
import type { Call } from '../../call.ts';
import { createClient, type ClientOptions } from '../../client/client.ts';
import { EXIT, wrongUsage } from '../../exit-code.ts';
import { checkToken, connectionOf, consoleOf, refuseOpen } from '../../login/connection.ts';
import { logInByDevice } from '../../login/device-login.ts';
import { loginFile, readLogin, writeLogin } from '../../login/login-file.ts';
import { withLoginLock } from '../../login/login-lock.ts';
import { askSecretly } from '../../output/ask.ts';
import type { World } from '../../world.ts';

const TOKEN = 'token';

export const login: Verb = {
  name: 'login',
  group: 'Set up',
  summary: 'log in to a console, which later calls then ask',
  details: [
    'On a terminal, it shows an address and a code: open the address in a browser, on any device, and enter the code only if you have just typed nereid login yourself. The login lasts for up to 12 hours. Where the console has no such login, and with --token, it asks for a token, which an operator makes with nereid token. Without a terminal, it reads the token from stdin.',
    'Once the console has accepted the login or the token, it is kept in a file that only you can read, below XDG_CONFIG_HOME or ~/.config.',
  ],
  isRemote: true,
  options: [{ name: TOKEN, summary: 'ask for a token, also where the console has another login' }],
  examples: [
    { command: 'nereid login --console https://nereid.example.com', does: 'shows an address and a code' },
    { command: 'nereid login --token --console https://nereid.example.com', does: 'asks for a token' },
    { command: 'nereid login --console https://nereid.example.com < token.txt', does: 'in a script' },
  ],
  async run(call) {
    const { given, world, notes, screen } = call;
    const console = consoleOf(given, world);
    if (!given.has('allow-http')) refuseOpen(console);
    const { proxyAuthorization } = connectionOf(given, world);
    const connection = { console, proxyAuthorization, signal: world.signal };
    const token = await tokenOf(call, connection);
    const { json, value } = await createClient({ ...connection, token }).get('getMe');
    await keep(world, console, token);
    call.json(json);
    screen.line(`Logged in to ${console} as ${nameOf(value)}.`);
    if ((world.env['NEREID_TOKEN'] ?? '') !== '')
      notes.line('NEREID_TOKEN is set, and takes precedence over this login.');
    return EXIT.done;
  },
};

/** The session of a person, or what they or a script give. */
async function tokenOf(call: Call, connection: ClientOptions): Promise<string> {
  const { given, world } = call;
  const isByDevice = world.stdin.isTTY === true && !given.has(TOKEN);
  const session = isByDevice ? await logInByDevice(call, createClient(connection)) : undefined;
  return (
    session ??
    checkToken((await readToken(world, connection.console)).trim(), world.stdin.isTTY === true ? 'you' : 'stdin')
  );
}

async function keep(world: World, console: string, token: string): Promise<void> {
  const file = loginFile(world);
  await withLoginLock(file, world.signal, () => {
    const { tokens } = readLogin(file);
    writeLogin(file, { version: 1, current: console, tokens: { ...tokens, [console]: token } });
  });
}

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
