/** Looks from inside a sandbox whether addresses answer, as code of a repository would: it connects, and sends nothing. */
import { runCommand, type Sandbox } from '@nereid/subprocess';

export interface Target {
  /** Ours, for people and for the label of the metric. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** What answers on this machine or in its cloud does so within milliseconds. */
const ANSWER_MS = 1_000;

/** With the start of Node on a busy machine. */
const TIMEOUT_MS = 20_000;

/**
 * Runs in the sandbox, where there is nothing of ours. Prints one `true` or `false` for each target. An exit would wait for the
 * thread that looks a name up, half a minute where no DNS answers.
 */
const PROGRAM = `
const net = require('node:net');
const answers = ({ host, port }) => new Promise((resolve) => {
  const socket = net.connect({ host, port, timeout: ${ANSWER_MS} });
  const end = (is) => { socket.destroy(); resolve(is); };
  setTimeout(end, ${ANSWER_MS}, false);
  socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
});
Promise.all(JSON.parse(process.argv[1]).map(answers)).then((all) => {
  process.stdout.write(JSON.stringify(all));
  process.kill(process.pid, 'SIGKILL');
});`;

/** Returns the targets that answer. Throws when that cannot be found out. `sandbox` shows the program of this process. */
export async function whatAnswers(
  targets: readonly Target[],
  sandbox: Sandbox | undefined,
): Promise<readonly Target[]> {
  const asked = targets.map(({ host, port }) => ({ host, port }));
  const argv = [process.execPath, '--eval', PROGRAM, JSON.stringify(asked)] as const;
  const result = await runCommand({ argv, env: {}, cwd: '/', sandbox, timeoutMs: TIMEOUT_MS });
  const { stdout, stderr } = result;
  const said = result.kind === 'could-not-start' ? result.why : stderr.trim();
  const answers = parse(stdout);
  if (answers?.length === targets.length) return targets.filter((_target, index) => answers[index] === true);
  throw new Error(`expected to learn what answers in a sandbox, found ${result.kind}: ${said.slice(-500)}`);
}

function parse(stdout: string): readonly unknown[] | undefined {
  try {
    const answers: unknown = JSON.parse(stdout);
    return Array.isArray(answers) ? answers : undefined;
  } catch {
    // It could not begin, or was ended first.
    return undefined;
  }
}
