/** `main.ts [--json]`: prints the diagnosis of one process. */
import type { Check } from './check.ts';
import { diagnose } from './diagnose.ts';
import { renderDiagnosis } from './render-diagnosis.ts';

export interface DoctorOptions {
  /** Whose checks these are, like `worker`. */
  readonly process: string;
  /** What was typed behind the name of the program. */
  readonly args: readonly string[];
  readonly stdout: Pick<NodeJS.WriteStream, 'write'> & { readonly columns?: number };
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  /** Opens what the checks need; nothing that waits, since only checks have a limit. */
  readonly open: () => Promise<readonly Check[]>;
}

const EXIT = { healthy: 0, failed: 1, wrongUsage: 2 } as const;

/** Where no terminal says how wide it is. */
const COLUMNS = 120;

/** Returns the exit code, once everything is printed: 1 when a check failed, 2 when something else was typed than can be. */
export async function runDoctor({ process, args, stdout, stderr, open }: DoctorOptions): Promise<0 | 1 | 2> {
  const [typed, ...more] = args;
  if (more.length > 0 || (typed !== undefined && typed !== '--json')) {
    await print(stderr, `expected nothing or --json, found ${JSON.stringify(args.join(' '))}; leave it out\n`);
    return EXIT.wrongUsage;
  }
  const diagnosis = await diagnose(process, await open());
  const text =
    typed === '--json'
      ? `${JSON.stringify(diagnosis, undefined, 2)}\n`
      : renderDiagnosis(diagnosis, stdout.columns ?? COLUMNS);
  await print(stdout, text);
  return diagnosis.isHealthy ? EXIT.healthy : EXIT.failed;
}

/** A pipe takes a long text in pieces, and the process exits afterwards. */
function print(stream: Pick<NodeJS.WriteStream, 'write'>, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => {
      resolve();
    });
  });
}
