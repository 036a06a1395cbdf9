import { NO_COMMIT } from '../git/bare-repository.ts';
import { readCommit } from '../git/history.ts';
import { checkSuiteWithCommitJson } from '../json/check-suite-json.ts';
import type { CheckSuite, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import type { BranchMove } from './branch-move.ts';
import { emit } from './emit.ts';
import { directoryOf, type World } from '../world.ts';

/** A pushed commit gets its check suite at once, and the App is asked to fill it. */
export async function requestCheckSuite(world: World, repository: Repository, move: BranchMove, by: string) {
  if (findSuite(world, repository, move.after)) return;
  const suite = createSuite(world, repository, move.after);
  suite.headBranch = move.branch;
  suite.before = move.before === NO_COMMIT ? null : move.before;
  await emitCheckSuite(world, repository, suite, 'requested', by);
}

/** *Re-run all*: the suite is queued again; its check runs stay as they are until the App writes new ones. */
export async function rerequestCheckSuite(world: World, repository: Repository, suite: CheckSuite, by: string) {
  suite.rerequested = true;
  suite.updatedAt = now();
  world.store.changed();
  await emitCheckSuite(world, repository, suite, 'rerequested', by);
}

/** The suite that the check runs of a commit belong to. */
export function ensureSuite(world: World, repository: Repository, sha: string): CheckSuite {
  return findSuite(world, repository, sha) ?? createSuite(world, repository, sha);
}

function findSuite(world: World, repository: Repository, sha: string): CheckSuite | undefined {
  return world.store.state.checkSuites.find((each) => each.repositoryId === repository.id && each.headSha === sha);
}

function createSuite(world: World, repository: Repository, sha: string): CheckSuite {
  const suite: CheckSuite = {
    id: world.store.newId(),
    repositoryId: repository.id,
    headSha: sha,
    headBranch: null,
    before: null,
    rerequested: false,
    createdAt: now(),
    updatedAt: now(),
  };
  world.store.state.checkSuites.push(suite);
  return suite;
}

async function emitCheckSuite(world: World, repository: Repository, suite: CheckSuite, action: string, by: string) {
  const head = await readCommit(directoryOf(world, repository), suite.headSha);
  const payload = { check_suite: checkSuiteWithCommitJson(world, repository, suite, head) };
  emit(world, { event: 'check_suite', action, repository, sender: by, payload });
}
