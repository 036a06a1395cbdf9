/** Has schemathesis make up requests from the OpenAPI document of an API, and check each answer against the document. */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '@nereid/subprocess';
import { definedOnly, type Environment } from '../toolchain/environment.ts';
import { findPythonPackages } from '../toolchain/python-packages.ts';
import type { Report } from '../toolchain/report.ts';
import { fuzzSettings, type FuzzedDocument, type KnownValues } from './fuzz-settings.ts';

export interface FuzzOptions {
  readonly env: Environment;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  /** The top of the API, which has its document as `openapi.json`. */
  readonly apiUrl: string;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that mean something to the API. */
  readonly known: KnownValues;
  /** Requests of each operation at most, besides those at the limits of its parameters. */
  readonly requestsEach: number;
  readonly seed: number;
  /** An existing folder, for what schemathesis reads and writes. */
  readonly folder: string;
}

export interface Fuzzed {
  readonly requests: number;
  /** How many requests of each operation succeeded. */
  readonly succeeded: Readonly<Record<string, number>>;
  /** What is wrong, with a command for each that shows it again; empty when nothing is. */
  readonly findings: string;
}

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** A hundred requests a second are usual, and a tenth of that on a busy machine. A run that takes longer hangs. */
const RUN_TIMEOUT_MS = 60 * 60_000;

/** It has nothing to put in order. */
const PATIENCE = { afterSigintMs: 2_000, afterSecondSigintMs: 1_000 };

/** Installs schemathesis if it is missing. Returns its `bin` folder. Throws `InstallError`. */
export function installSchemathesis({ env, report, signal }: Pick<FuzzOptions, 'env' | 'report' | 'signal'>) {
  return findPythonPackages({ name: 'schemathesis', requirements: REQUIREMENTS, env, report, signal });
}

/** Throws `InstallError`, or an error when schemathesis could not test at all. */
export async function fuzzApi(options: FuzzOptions): Promise<Fuzzed> {
  const { apiUrl, headers, known, requestsEach, seed, env, signal } = options;
  const bin = await installSchemathesis(options);
  const folder = await mkdtemp(path.join(options.folder, 'fuzz-'));
  const document = (await (await fetch(`${apiUrl}/openapi.json`, { headers })).json()) as FuzzedDocument; // OpenAPI.
  const settings = path.join(folder, 'schemathesis.toml');
  await writeFile(settings, fuzzSettings(document, known));
  const python = path.join(bin, 'python');
  const argv = [
    ...[python, '-m', 'schemathesis.cli', '--config-file', settings, 'run', `${apiUrl}/openapi.json`, '--url', apiUrl],
    ...['--no-color', '--seed', String(seed), '--max-examples', String(requestsEach)],
    ...['--generation-database', 'none', '--report', 'json', '--report-dir', folder],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]),
  ] as const satisfies readonly [string, ...string[]];
  const limits = { timeoutMs: RUN_TIMEOUT_MS, signal, patience: PATIENCE };
  const result = await runCommand({ argv, env: definedOnly(env), cwd: folder, ...limits });
  signal?.throwIfAborted();
  const isTested = result.kind === 'exited' && (result.exitCode === 0 || result.exitCode === 1);
  if (!isTested)
    throw new Error(`schemathesis could not test ${apiUrl} (${result.kind}):\n${result.stdout}${result.stderr}`);
  return fuzzedOf(await reportIn(folder), result.stdout);
}

/** The parts of schemathesis's report that we read. */
interface SchemathesisReport {
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly unknown[];
  readonly errors: readonly unknown[];
  /** By operation and phase. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>;
}

async function reportIn(folder: string): Promise<SchemathesisReport> {
  const name = (await readdir(folder)).find((each) => /^json-.*\.json$/.test(each)) ?? '';
  return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as SchemathesisReport; // Of the pinned version.
}

function fuzzedOf({ test_cases, failures, errors, valid_rates }: SchemathesisReport, output: string): Fuzzed {
  const succeeded = Object.entries(valid_rates).map(([operation, phases]) => {
    const accepted = Object.values(phases).map((phase) => phase.accepted);
    return [operation, accepted.reduce((sum, count) => sum + count, 0)] as const;
  });
  const isFine = failures.length + errors.length === 0;
  return {
    requests: test_cases.generated,
    succeeded: Object.fromEntries(succeeded),
    findings: isFine ? '' : output.slice(Math.max(0, output.search(/^=+ (?:FAILURES|ERRORS) =+$/m))),
  };
}
