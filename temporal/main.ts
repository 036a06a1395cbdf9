/** `node temporal/main.ts`: the same as `nereid temporal setup`, for images and jobs. */
import { setUpTemporal } from './set-up-temporal.ts';

process.exitCode = await setUpTemporal(process.env, {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
});
