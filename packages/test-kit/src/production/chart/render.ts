/** Renders the chart with Helm. */
import { runCommand, type RunResult } from '@nereid/subprocess';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { REPOSITORY } from '../../repository.ts';
import { CHART, type Values } from './chart-files.ts';
import { findHelm } from './tools.ts';

/** An object of Kubernetes, as far as tests look at all of them. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

export interface PodSpec {
  readonly hostUsers?: boolean;
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
}

/** Rendering takes half a second; beside others, on a cold disk, more. */
const HELM_TIMEOUT_MS = 120_000;

export interface HelmOptions {
  /** Variables beside its own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs Helm in a home of its own, so that nobody's plug-ins and settings count. */
export async function runHelm(
  args: readonly string[],
  { env = {}, timeoutMs = HELM_TIMEOUT_MS }: HelmOptions = {},
): Promise<RunResult> {
  const helm = await findHelm(process.env);
  const home = await mkdtemp(path.join(tmpdir(), 'helm-'));
  try {
    const own = { HOME: home, PATH: '/usr/bin:/bin', ...env };
    return await runCommand({ argv: [helm, ...args], env: own, cwd: REPOSITORY, timeoutMs });
  } finally {
    await rm(home, { recursive: true });
  }
}

/** Renders with values files, and values that go before them, as the release `nereid`. */
export async function template(files: readonly string[], values: Values = {}): Promise<RunResult> {
  return withValues(values, (file) =>
    runHelm([
      'template',
      'nereid',
      CHART,
      '--namespace',
      'nereid',
      ...[...files, file].flatMap((each) => ['--values', each]),
    ]),
  );
}

/** Throws with Helm's words where it refuses. */
export async function render(files: readonly string[], values: Values = {}): Promise<readonly Manifest[]> {
  const result = await template(files, values);
  if (result.kind !== 'exited' || result.exitCode !== 0) throw new Error(result.stderr);
  return manifestsIn(result.stdout);
}

export function manifestsIn(yaml: string): readonly Manifest[] {
  // What Helm renders: whether it is what Kubernetes takes, its schemas say in a test.
  const documents = parseAllDocuments(yaml).map((document) => document.toJS() as Manifest | null);
  return documents.filter((document) => document !== null);
}

export function withValues<T>(values: Values, use: (file: string) => Promise<T>): Promise<T> {
  // Helm reads the YAML of 1.1, to which `ON` is a truth.
  return withFile(stringify(values, { version: '1.1' }), use);
}

export async function withFile<T>(text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'yaml-'));
  const file = path.join(folder, 'file.yaml');
  try {
    await writeFile(file, text);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The specification of the pods that a manifest has others make. */
export function podsOf({ kind, spec }: Manifest): readonly PodSpec[] {
  if (!['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].includes(kind)) return [];
  return [(spec as { readonly template: { readonly spec: PodSpec } }).template.spec];
}
