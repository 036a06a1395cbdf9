import { runCommand, type RunResult, type Sandbox } from '@nereid/subprocess';
import { stat } from 'node:fs/promises';
import { failed, readConftestOutput, type PolicyFinding } from './conftest-output.ts';

export interface PolicyEvaluation {
  /** The path that a `FindConftest` returned. */
  readonly conftest: string;
  /** Holds the policy's Rego, absolute. */
  readonly folder: string;
  readonly namespaces: readonly string[];
  /** The version of its Rego. Default: the newest that can read it. */
  readonly rego?: RegoVersion | undefined;
  /** The plan as `terraform show -json` prints it. */
  readonly planJson: string;
  /** Shows conftest, the folder and the plan. Default: none. */
  readonly sandbox?: Sandbox | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Gets all that conftest prints. */
  readonly log?: (output: Uint8Array) => void | Promise<void>;
}

export type RegoVersion = 'v0' | 'v1';

/** Policies take milliseconds; one that takes this long does not end. */
const TIMEOUT_MS = 60_000;

/** Far more than anybody reads. */
const OUTPUT_LIMIT_BYTES = 1024 * 1024;

/** It has nothing to put in order. */
const PATIENCE = { afterSigintMs: 500, afterSecondSigintMs: 100 };

/** The last lines of an error name its place; the others repeat it. */
const ERROR_LIMIT = 1_000;

/** Evaluates a policy on a plan. Never throws for what a policy does: then it could not be evaluated, which counts as a denial the plan. */
export async function evaluatePolicy(options: PolicyEvaluation): Promise<PolicyFinding> {
  if (!(await isFolder(options.folder))) return failed(`there is no folder ${options.folder} on this host`);
  const { rego } = options;
  if (rego !== undefined) return (await evaluateAs(rego, options)).finding;
  const newest = await evaluateAs('v1', options);
  if (!newest.isUnreadable) return newest.finding;
  const older = await evaluateAs('v0', options);
  // If neither can be read, the message about today's Rego helps more.
  return older.isUnreadable ? newest.finding : older.finding;
}

interface Evaluated {
  readonly finding: PolicyFinding;
  /** It may be written in another version of Rego. */
  readonly isUnreadable: boolean;
}

async function evaluateAs(rego: RegoVersion, options: PolicyEvaluation): Promise<Evaluated> {
  const { conftest, folder, namespaces, planJson, sandbox, signal, timeoutMs = TIMEOUT_MS } = options;
  const named = namespaces.flatMap((namespace) => ['--namespace', namespace]);
  const ran = await runCommand({
    argv: [
      conftest,
      'test',
      '--no-color',
      '--output',
      'json',
      '--rego-version',
      rego,
      '--policy',
      folder,
      ...named,
      planJson,
    ],
    // It looks for plugins there, and has none.
    env: { HOME: '/nonexistent', PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: '/',
    sandbox,
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    patience: PATIENCE,
    timeoutMs,
    signal,
  });
  const isUnreadable = ran.kind === 'exited' && ran.stderr.includes('rego_parse_error');
  await options.log?.(Buffer.from(`${ran.stdout}${ran.stderr}`));
  return { finding: findingOf(ran, timeoutMs), isUnreadable };
}

function findingOf(ran: RunResult, timeoutMs: number): PolicyFinding {
  switch (ran.kind) {
    case 'exited': {
      const said = ran.stderr.trim() || `it ended with exit code ${ran.exitCode} and no result`;
      return readConftestOutput(ran.stdout, ran.exitCode) ?? failed(said.slice(-ERROR_LIMIT));
    }
    case 'stopped':
      if (ran.cause === 'timed-out') return failed(`it did not end within ${Math.ceil(timeoutMs / 1_000)} s`);
      if (ran.cause === 'output-limit') return failed('it printed more than 1 MiB');
      return failed('it was stopped');
    case 'killed':
      return failed(`conftest was killed by ${ran.signal}`);
    case 'could-not-start':
      return failed(`conftest could not be started: ${ran.why}`);
    case 'lost':
      return failed('conftest was lost');
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
