import { ImpossibleError } from '../errors.ts';
import { checkRunJson } from '../json/check-run-json.ts';
import { checkSuiteInEventJson } from '../json/check-suite-json.ts';
import type { Json } from '../json/json.ts';
import { followCheckRun } from '../merge-queue/queue-actions.ts';
import { findCheckRun } from '../state/find.ts';
import type { CheckAction, CheckConclusion, CheckRun, CheckStatus, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { emit } from '../events/emit.ts';
import type { World } from '../world.ts';
import { ensureSuite } from '../events/check-suites.ts';

/** The fields that the App may write, in the form of the API. */
export interface CheckRunFields {
  readonly name?: string;
  readonly details_url?: string;
  readonly external_id?: string;
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly output?: {
    readonly title?: string;
    readonly summary: string;
    readonly text?: string;
    readonly annotations?: readonly Record<string, unknown>[];
  };
  readonly actions?: readonly CheckAction[];
}

export async function createCheckRun(
  world: World,
  repository: Repository,
  sha: string,
  fields: CheckRunFields,
): Promise<CheckRun> {
  const run: CheckRun = {
    id: world.store.newId(),
    repositoryId: repository.id,
    suiteId: ensureSuite(world, repository, sha).id,
    name: fields.name ?? '',
    headSha: sha,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: now(),
    completedAt: null,
    output: { title: null, summary: null, text: null, annotations: [] },
    actions: [],
  };
  world.store.state.checkRuns.push(run);
  write(run, fields);
  touchSuite(world, repository, run);
  emitCheckRun(world, repository, run, 'created', world.app.bot);
  if (isCompleted(run)) emitCheckRun(world, repository, run, 'completed', world.app.bot);
  world.store.changed();
  await followCheckRun(world, repository, run);
  return run;
}

export async function updateCheckRun(
  world: World,
  repository: Repository,
  run: CheckRun,
  fields: CheckRunFields,
): Promise<void> {
  const wasCompleted = isCompleted(run);
  write(run, fields);
  touchSuite(world, repository, run);
  if (!wasCompleted && isCompleted(run)) emitCheckRun(world, repository, run, 'completed', world.app.bot);
  world.store.changed();
  await followCheckRun(world, repository, run);
}

/**
 * A person presses one of the buttons. The person's permission is not checked here: a page may be older than the loss of a
 * permission, so the App has to check it itself.
 */
export function pressButton(world: World, repository: Repository, run: CheckRun, identifier: string, by: string): void {
  const buttons = isCompleted(run) ? run.actions.map((action) => action.identifier) : [];
  if (!buttons.includes(identifier)) {
    const shown = buttons.length === 0 ? 'no buttons' : buttons.join(', ');
    throw new ImpossibleError(`check run ${run.id} (${run.status}) shows no button ${identifier}; it has ${shown}`);
  }
  emitCheckRun(world, repository, run, 'requested_action', by, { requested_action: { identifier } });
}

/** *Re-run* on one check run: its suite is queued again; the check run itself stays as it is. */
export function rerequestCheckRun(world: World, repository: Repository, run: CheckRun, by: string): void {
  if (!isCompleted(run)) throw new ImpossibleError(`check run ${run.id} cannot be re-run while it is ${run.status}`);
  const suite = ensureSuite(world, repository, run.headSha);
  suite.rerequested = true;
  suite.updatedAt = now();
  emitCheckRun(world, repository, run, 'rerequested', by);
  world.store.changed();
}

export function requireCheckRun(world: World, id: number): { run: CheckRun; repository: Repository } {
  const run = findCheckRun(world.store, id);
  const repository = world.store.state.repositories.find((each) => each.id === run?.repositoryId);
  if (!run || !repository) throw new ImpossibleError(`there is no check run ${id}`);
  return { run, repository };
}

/** A completed check run stays completed: GitHub accepts `in_progress` for it, but nothing changes. */
function write(run: CheckRun, fields: CheckRunFields): void {
  const completes = fields.conclusion !== undefined;
  const status = completes || isCompleted(run) ? 'completed' : (fields.status ?? run.status);
  run.name = fields.name ?? run.name;
  run.externalId = fields.external_id ?? run.externalId;
  run.detailsUrl = fields.details_url ?? run.detailsUrl;
  run.startedAt = fields.started_at ?? run.startedAt;
  run.status = status;
  run.conclusion = fields.conclusion ?? run.conclusion;
  run.completedAt = completes ? (fields.completed_at ?? now()) : run.completedAt;
  run.actions = fields.actions ? [...fields.actions] : run.actions;
  if (fields.output) writeOutput(run, fields.output);
}

/** Annotations are added to the existing ones; the texts are replaced. */
function writeOutput(run: CheckRun, output: NonNullable<CheckRunFields['output']>): void {
  run.output = {
    title: output.title ?? run.output.title,
    summary: output.summary,
    text: output.text ?? run.output.text,
    annotations: [...run.output.annotations, ...(output.annotations ?? [])],
  };
}

function touchSuite(world: World, repository: Repository, run: CheckRun): void {
  const suite = ensureSuite(world, repository, run.headSha);
  suite.rerequested = false;
  suite.updatedAt = now();
}

function isCompleted(run: CheckRun): boolean {
  return run.status === 'completed';
}

function emitCheckRun(
  world: World,
  repository: Repository,
  run: CheckRun,
  action: string,
  by: string,
  more: Json = {},
): void {
  const suite = ensureSuite(world, repository, run.headSha);
  const checkRun = {
    ...checkRunJson(world, repository, run),
    check_suite: checkSuiteInEventJson(world, repository, suite),
  };
  emit(world, { event: 'check_run', action, repository, sender: by, payload: { check_run: checkRun, ...more } });
}
