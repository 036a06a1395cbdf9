/** `main.ts [--json]`: whether the console can work with the configuration that it has. */
import { runDoctor } from '@nereid/doctor';
import { extractEnvironment } from '@nereid/process';
import { openChecks } from './open-checks.ts';

const { argv, stdout, stderr } = process;
const environment = extractEnvironment(process.env);
// A check that hangs must not keep the process.
process.exit(
  await runDoctor({
    process: 'console',
    args: argv.slice(2),
    stdout,
    stderr,
    open: () => Promise.resolve(openChecks(environment)),
  }),
);
