/** The gateway as the process it is: `node src/main.ts` with an environment of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { APP_ID } from './events/payload.fixture.ts';
import { KEYS, SECRET } from './gateway.fixture.ts';

const MAIN = fileURLToPath(import.meta.resolve('./main.ts'));

/** A process on two loaded cores starts within seconds; only what hangs takes minutes. */
const PATIENCE_MS = 120_000;

const LogLine = z.looseObject({ msg: z.string() });
type LogLine = z.infer<typeof LogLine>;

export interface GatewayProcess {
  readonly child: ChildProcess;
  /** The first line of the log with this message; waits for it, and fails when the process ends without it. */
  logged(message: string): Promise<LogLine>;
  /** Its exit code and everything it wrote on the standard error stream. */
  ended(): Promise<{ code: number | null; stderr: string }>;
}

export function startGatewayProcess(env: Readonly<Record<string, string>>): GatewayProcess {
  const child = spawn(process.execPath, [MAIN], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const closed = once(child, 'close');

  const find = (message: string) => linesOf(output.stdout).find(({ msg }) => msg === message);
  return {
    child,
    logged: async (message) => {
      const timeout = AbortSignal.timeout(PATIENCE_MS);
      for (;;) {
        const line = find(message);
        if (line) return line;
        if (child.exitCode !== null) throw new Error(`the gateway ended without saying "${message}": ${output.stderr}`);
        await Promise.race([once(child.stdout, 'data', { signal: timeout }), closed]);
      }
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, stderr: output.stderr };
    },
  };
}

/** The environment of a gateway that can start, with a Temporal that is not there. */
export function gatewayEnvironment(serverFile: string): Record<string, string> {
  return {
    NEREID_CONFIG: serverFile,
    GATEWAY_ADDRESS: '127.0.0.1:0',
    GATEWAY_KEY: KEYS.privateKey,
    GITHUB_WEBHOOK_SECRET: SECRET,
    GITHUB_APP_ID: String(APP_ID),
    // Nobody listens on the port that TCP reserves for multiplexing.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  };
}

function linesOf(stdout: string): readonly LogLine[] {
  const complete = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => LogLine.parse(JSON.parse(line)));
}
