import type { Verb } from '../verb.ts';
import type { Call } from '../../call.ts';
import { createClient } from '../../client/client.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { connectionOf, consoleOf } from '../../login/connection.ts';
import { loginFile, readLogin, writeLogin } from '../../login/login-file.ts';
import { withLoginLock } from '../../login/login-lock.ts';
import { isSession } from '../../login/session-renewal.ts';

export const logout: Verb = {
  name: 'logout',
  group: 'Set up',
  summary: 'end the login to a console, or forget the token for it',
  details: [
    'A login by nereid login ends at GitHub or at the provider as well. A token stays good until an operator removes it.',
  ],
  isRemote: true,
  examples: [{ command: 'nereid logout', does: 'of the console of the last login' }],
  async run(call) {
    const { given, world, json, screen } = call;
    const console = consoleOf(given, world);
    const file = loginFile(world);
    // No other nereid renews it meanwhile.
    const forgotten = await withLoginLock(file, world.signal, async () => {
      const { tokens, current } = readLogin(file);
      const { [console]: token, ...others } = tokens;
      if (isSession(token)) await end(call, console, token);
      const left = current === undefined || current === console ? {} : { current };
      if (token !== undefined) writeLogin(file, { version: 1, ...left, tokens: others });
      return token;
    });
    json({ console, wasLoggedIn: forgotten !== undefined });
    screen.line(forgotten === undefined ? `You were not logged in to ${console}.` : `Logged out of ${console}.`);
    return EXIT.done;
  },
};

/** It is forgotten in any case, whoever is away. */
async function end({ given, world, notes }: Call, console: string, token: string): Promise<void> {
  const { proxyAuthorization } = connectionOf(given, world);
  try {
    await createClient({ console, token, proxyAuthorization, signal: world.signal }).step('logOut', {});
  } catch (error) {
    if (!(error instanceof ExitError) || error.exitCode === EXIT.interrupted) throw error;
    notes.line(error.message);
    notes.line('It is forgotten here. To be safe, end the login on the pages of GitHub or of the provider as well.');
  }
}
