/**
 * How fast Cancel reaches what runs: the time from the press in the console until the commands of a plan, and of an apply, get their
 * SIGINT, and until the check run shows the end.
 *
 * A host sends SIGINT to the whole process group of a command. So the shell of a step notes the time: one before the plan, and one
 * before the apply. The shell of a provisioner could not, because Terraform kills it at once.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@nereid/local/stack';
import { rootFiles, SAMPLE, SAMPLE_NAME, type Files } from './deployments/sample-repository.ts';
import { withStack } from './deployments/with-stack.ts';
import { median } from './timing.ts';

export interface CancelBench {
  readonly plan: OfPhase;
  readonly apply: OfPhase;
}

/** Milliseconds after the press. */
export interface OfPhase {
  readonly sigintMs: number;
  readonly slowestSigintMs: number;
  readonly shownMs: number;
}

type Phase = keyof CancelBench;

const PHASES = ['plan', 'apply'] as const satisfies readonly Phase[];

const ROUNDS = 5;

const DEADLINE_MS = 120_000;

const LOOK_MS = 20;

/** The step of a phase waits in the roots that are cancelled in this phase. */
const waitIn = (phase: Phase) => ({ run: `if [ -e ${scriptOf(phase)} ]; then exec sh ${scriptOf(phase)}; fi` });
const scriptOf = (phase: Phase) => `wait-${phase}.sh`;
const STEPS = { plan: ['init', waitIn('plan'), 'plan'], apply: [waitIn('apply'), 'apply'] };

export function benchCancel(env: NodeJS.ProcessEnv): Promise<CancelBench> {
  const slow = { workflow: 'waiting', workflows: { waiting: STEPS } } as const;
  return withStack({ env, planReview: 'auto', ...slow }, measure);
}

async function measure(stack: Stack): Promise<CancelBench> {
  const { state } = stack.folders;
  // A cancelled apply locks its lane: each round has roots of its own. The first round makes the mirror; it is not counted.
  const rounds = Array.from({ length: ROUNDS + 1 }, (_, round) => round);
  const names = rounds.flatMap((round) => PHASES.map((phase) => nameOf(phase, round)));
  await stack.github.createRepository({
    ...SAMPLE,
    files: rootFiles(names, state),
    collaborators: { alice: 'write' },
  });
  const measured: Record<Phase, Measured[]> = { plan: [], apply: [] };
  for (const round of rounds)
    for (const phase of PHASES) {
      const one = await cancelOne(stack, nameOf(phase, round), phase);
      if (round > 0) measured[phase].push(one);
    }
  return { plan: summary(measured.plan), apply: summary(measured.apply) };
}

interface Measured {
  readonly sigintMs: number;
  readonly shownMs: number;
}

async function cancelOne(stack: Stack, name: string, phase: Phase): Promise<Measured> {
  const { github, folders } = stack;
  const [begun, stopped] = [join(folders.state, `${name}-begun`), join(folders.state, `${name}-stopped`)];
  const sha = await github.commit({
    repository: SAMPLE_NAME,
    branch: 'main',
    files: changeOf(name, phase, waitOf(begun, stopped)),
    message: `Wait in ${name}`,
    author: 'alice',
  });
  await untilWritten(begun);
  const run = await seen(stack, sha, 'under way', ({ status }) => status === 'in_progress');
  const press = await openPage(stack, run.externalId, name);

  const pressedAt = Date.now();
  await press();
  await seen(stack, sha, 'its end', ({ status }) => status === 'completed');
  const shownMs = Date.now() - pressedAt;
  return { sigintMs: Number(await untilWritten(stopped)) - pressedAt, shownMs };
}

function seen(
  { github }: Stack,
  sha: string,
  what: string,
  isIt: (run: ReturnType<Stack['github']['checkRuns']>[number]) => boolean,
) {
  return github.waitFor(() => github.checkRuns(SAMPLE_NAME, sha).find(isIt), { what, deadlineMs: DEADLINE_MS });
}

/** Opens the page of the deployment. Returns what presses Cancel there. */
async function openPage({ urls }: Stack, id: string, name: string): Promise<() => Promise<void>> {
  const lane = `${SAMPLE_NAME}/${name}`;
  const page = await (await fetch(`${urls.console}/deployments/${id}?lane=${lane}`)).text();
  const csrf = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups?.['csrf'] ?? '';
  return async () => {
    const answer = await fetch(`${urls.console}/api/v1/deployments/${id}/cancel?lane=${lane}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: '{}',
    });
    if (!answer.ok) throw new Error(`expected the console to take a press on Cancel, found ${await answer.text()}`);
  };
}

/** An apply needs something to do as well. */
function changeOf(name: string, phase: Phase, wait: string): Files {
  return {
    [`${name}/${scriptOf(phase)}`]: `${wait}\n`,
    [`${name}/wait.tf`]: 'resource "terraform_data" "wait" {}\n',
  };
}

/** A shell's, which ends within milliseconds of its SIGINT. */
function waitOf(begun: string, stopped: string): string {
  return `trap 'date +%s%3N > ${stopped}; exit 130' INT; echo begun > ${begun}; while :; do sleep 0.02; done`;
}

async function untilWritten(file: string): Promise<string> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text;
    if (performance.now() > deadline) throw new Error(`expected ${file} to be written, found that it is not`);
    await pause(LOOK_MS);
  }
}

function nameOf(phase: Phase, round: number): string {
  return `${phase}-${round}`;
}

function summary(rounds: readonly Measured[]): OfPhase {
  const sigints = rounds.map(({ sigintMs }) => sigintMs);
  return {
    sigintMs: median(sigints),
    slowestSigintMs: Math.max(...sigints),
    shownMs: median(rounds.map(({ shownMs }) => shownMs)),
  };
}
