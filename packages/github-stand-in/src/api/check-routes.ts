import { createCheckRun, updateCheckRun, type CheckRunFields } from '../actions/check-runs.ts';
import { readCommit } from '../git/history.ts';
import { checkRunJson } from '../json/check-run-json.ts';
import { checkSuiteJson } from '../json/check-suite-json.ts';
import { findCheckRun, latestOf, runsAt, runsOf } from '../state/find.ts';
import type { CheckRun, CheckSuite } from '../state/model.ts';
import { directoryOf } from '../world.ts';
import { created, notFound, ok, type Answer } from './answer.ts';
import { paged } from './pages.ts';
import { requireCommit } from './repository-routes.ts';
import type { RepositoryCall, Route } from './route.ts';

/** Check runs and check suites. */
export const checkRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/check-runs',
    access: 'repository',
    permission: ['checks', 'write'],
    async answer(call) {
      // The body was checked against GitHub's description, which gives it this type.
      const fields = call.body as CheckRunFields & { readonly head_sha: string };
      const sha = await requireCommit(call, fields.head_sha);
      const run = await createCheckRun(call.world, call.repository, sha, fields);
      return created(checkRunJson(call.world, call.repository, run));
    },
  },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    access: 'repository',
    permission: ['checks', 'write'],
    async answer(call) {
      const run = requireRun(call);
      // The body was checked against GitHub's description, which gives it this type.
      await updateCheckRun(call.world, call.repository, run, call.body as CheckRunFields);
      return ok(checkRunJson(call.world, call.repository, run));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    access: 'repository',
    permission: ['checks', 'read'],
    answer: (call) => ok(checkRunJson(call.world, call.repository, requireRun(call))),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-runs',
    access: 'repository',
    permission: ['checks', 'read'],
    async answer(call) {
      const sha = await requireCommit(call, call.params['ref'] ?? '');
      return listRuns(call, runsAt(call.world.store, call.repository, sha));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-suites',
    access: 'repository',
    permission: ['checks', 'read'],
    async answer(call) {
      const sha = await requireCommit(call, call.params['ref'] ?? '');
      const suites = call.world.store.state.checkSuites.filter(
        (each) => each.repositoryId === call.repository.id && each.headSha === sha && isAskedApp(call),
      );
      return paged(
        call,
        suites,
        (suite) => presentSuite(call, suite),
        (list) => ({ total_count: suites.length, check_suites: list }),
      );
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs',
    access: 'repository',
    permission: ['checks', 'read'],
    answer: (call) => listRuns(call, runsOf(call.world.store, requireSuite(call))),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-suites/{check_suite_id}',
    access: 'repository',
    permission: ['checks', 'read'],
    answer: async (call) => ok(await presentSuite(call, requireSuite(call))),
  },
];

/** `filter=latest`, GitHub's default, shows the newest check run of each name only. */
async function listRuns(call: RepositoryCall, all: readonly CheckRun[]): Promise<Answer> {
  const { check_name: name, status, filter } = call.query;
  const found = (filter === 'all' ? all : latestOf(all)).filter(
    (run) => (name ?? run.name) === run.name && (status ?? run.status) === run.status && isAskedApp(call),
  );
  return paged(
    call,
    found,
    (run) => checkRunJson(call.world, call.repository, run),
    (list) => ({ total_count: found.length, check_runs: list }),
  );
}

function isAskedApp({ query, world }: RepositoryCall): boolean {
  return Number(query['app_id'] ?? world.app.id) === world.app.id;
}

async function presentSuite({ world, repository }: RepositoryCall, suite: CheckSuite) {
  return checkSuiteJson(world, repository, suite, await readCommit(directoryOf(world, repository), suite.headSha));
}

function requireRun({ world, repository, params }: RepositoryCall): CheckRun {
  const run = findCheckRun(world.store, Number(params['check_run_id']));
  if (run?.repositoryId !== repository.id) throw notFound();
  return run;
}

function requireSuite({ world, repository, params }: RepositoryCall): CheckSuite {
  const id = Number(params['check_suite_id']);
  const suite = world.store.state.checkSuites.find((each) => each.id === id);
  if (suite?.repositoryId !== repository.id) throw notFound();
  return suite;
}
