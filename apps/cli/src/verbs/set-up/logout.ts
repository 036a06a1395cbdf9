import type { Verb } from '../../arguments/verb.ts';
import { EXIT } from '../../exit-code.ts';
import { consoleOf } from '../../login/connection.ts';
import { loginFile, readLogin, writeLogin } from '../../login/login-file.ts';

export const logout: Verb = {
  name: 'logout',
  group: 'Set up',
  summary: 'forget the token for a console',
  isRemote: true,
  examples: [
    { command: 'nereid logout', does: 'that of the last login; the token stays good until an operator removes it' },
  ],
  run(call) {
    const console = consoleOf(call.given, call.world);
    const file = loginFile(call.world);
    const { tokens, current } = readLogin(file);
    const { [console]: forgotten, ...others } = tokens;
    const left = current === undefined || current === console ? {} : { current };
    if (forgotten !== undefined) writeLogin(file, { version: 1, ...left, tokens: others });
    call.json({ console, wasLoggedIn: forgotten !== undefined });
    call.screen.line(forgotten === undefined ? `You were not logged in to ${console}.` : `Logged out of ${console}.`);
    return Promise.resolve(EXIT.done);
  },
};
