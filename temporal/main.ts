/** `node temporal/main.ts`: the same as `nereid temporal setup`, for images and jobs. */
import { setUpTemporal } from './set-up-temporal.ts';

const exitCode = await setUpTemporal(process.env, {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
});
// The client also asks DNS for texts of the server's name. Where no DNS answers, that would keep the process for half a minute.
process.exit(exitCode);
