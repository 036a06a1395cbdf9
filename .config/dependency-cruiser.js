import { FLOORS } from './floors.js';
import { PURE_PACKAGES } from './pure-packages.js';

/** The rules of imports. The first pattern of a rule is the importer, the second the modules that it must not import. */

const TEST = '\\.test\\.ts$';
/** What is stored and shown of a noun: schemas. */
const SCHEMAS = '^packages/domain/src/([^/]+/(api|record)|fields)\\.ts$';
const FOR_TESTS = '/(testing|fixtures)(/|\\.ts$)';
const FOR_TESTS_ONLY = '^packages/(github-stand-in|test-kit)/';
const TOOLS = '^(packages/(github-stand-in|test-kit)|apps/(local|bench|docs|pack))/';

/** Where a process opens GitHub, measures it and examines it, makes its App, and what git shows to it. */
const OF_GITHUB_ALONE = [
  '^apps/(worker/src/platform|console/src)/context\\.ts$',
  '^apps/worker/src/platform/(log|metrics)/',
  '^apps/worker/src/(doctor/|host/job/prepared-job)',
  '^apps/cli/src/setup/',
];
const pure = `^packages/(${PURE_PACKAGES.join('|')})/`;
const temporal = (...parts) => `^node_modules/@temporalio/(${parts.join('|')})/`;
const workspace = (...names) => `^(${names.join('|')})/`;

const forbidden = [
  rule(
    'no-cycles',
    {},
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    'two files that need each other should be one file, or share a third; imports of types vanish at run time',
  ),
  rule('no-unresolvable', {}, { couldNotResolve: true }, 'an imported module must exist'),
  rule(
    'no-relative-imports-across-workspaces',
    { path: '^((?:apps|packages)/[^/]+|temporal|workflows)/' },
    {
      path: workspace('apps', 'packages', 'temporal', 'workflows'),
      pathNot: '^$1/',
      dependencyTypes: ['local'],
      dependencyTypesNot: ['aliased-workspace'],
    },
    'a workspace is reached by its name, through what its index exports',
  ),
  rule(
    'no-undeclared-packages',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    'an imported package is a dependency of the root or of the workspace',
  ),

  rule(
    'domain-stands-alone',
    { path: '^packages/domain/', pathNot: [TEST, FOR_TESTS] },
    { pathNot: ['^packages/domain/', '^node_modules/zod/', temporal('common', 'client', 'workflow')] },
    'the domain is plain types and pure functions: it imports only itself',
  ),
  rule(
    'schemas-have-files-of-their-own',
    { path: '^packages/domain/', pathNot: [TEST, FOR_TESTS, SCHEMAS] },
    { path: '^node_modules/zod/', dependencyTypesNot: ['type-only'] },
    'schemas stand in the api.ts and the record.ts of a room',
  ),
  rule(
    'workflows-know-schemas-by-type',
    { path: '^(packages/domain|workflows)/', pathNot: [TEST, FOR_TESTS, SCHEMAS] },
    { path: SCHEMAS, dependencyTypesNot: ['type-only'] },
    'a schema library multiplies the memory of a cached workflow',
  ),
  rule(
    'domain-knows-temporal-by-type',
    { path: '^packages/domain/', pathNot: TEST },
    { path: temporal('.*'), dependencyTypesNot: ['type-only'] },
    'the domain runs in every process and in workflows, which have different parts of Temporal',
  ),

  rule(
    'workflows-import-what-replays',
    { path: '^workflows/', pathNot: [TEST, FOR_TESTS] },
    { pathNot: ['^workflows/', pure, temporal('workflow', 'common')] },
    'workflow code is replayed: anything else belongs in an activity',
  ),
  rule(
    'workflows-know-no-other',
    { path: '^workflows/src/([^/]+)/', pathNot: TEST },
    { path: '^workflows/src/[^/]+/', pathNot: '^workflows/src/$1/' },
    'each workflow is understood by itself; what they share stands beside them',
  ),

  rule(
    'packages-know-neither-apps-nor-workflows',
    { path: '^packages/', pathNot: [TEST, '^packages/test-kit/'] },
    { path: workspace('apps', 'workflows') },
    'a package serves several apps: it gets what it needs from them as arguments',
  ),
  rule(
    'packages-know-no-temporal',
    { path: '^packages/', pathNot: [TEST, '^packages/(domain|process|test-kit)/'] },
    { path: '^node_modules/@temporalio/' },
    'only the apps and the workflows speak Temporal',
  ),
  rule(
    'nobody-uses-what-is-internal-to-temporal',
    { path: '^(apps|packages|workflows)/' },
    { path: '^node_modules/@temporalio/[^/]+/lib/internal' },
    'internals change without notice',
  ),
  rule(
    'packages-do-not-serve',
    { path: '^packages/', pathNot: [TEST, FOR_TESTS_ONLY] },
    { path: '^node_modules/express/' },
    'only apps listen',
  ),
  rule(
    'only-github-speaks-octokit',
    { path: '^(apps|packages|workflows)/', pathNot: [TEST, TOOLS, '^(packages/github|apps/gateway)/'] },
    { path: '^node_modules/@octokit/' },
    'one place knows which requests go to GitHub, and how many',
  ),
  rule(
    'forge-is-a-port',
    { path: '^packages/forge/', pathNot: [TEST, FOR_TESTS] },
    { pathNot: ['^packages/(forge|domain)/'] },
    'what Nereid needs of a forge is said without any forge, lane or deployment',
  ),
  rule(
    'a-forge-is-chosen-once',
    {
      path: '^(apps|packages|workflows)/',
      pathNot: [TEST, FOR_TESTS, TOOLS, '^packages/github/', ...OF_GITHUB_ALONE],
    },
    { path: '^packages/github(-pages)?/' },
    'each process opens its forge in its context; everything else takes what it needs of `Forge`',
  ),
  rule(
    'tests-only-use-the-stand-ins',
    { path: '^(apps|packages|workflows)/', pathNot: [TEST, FOR_TESTS, TOOLS] },
    { path: FOR_TESTS_ONLY },
    'the stand-ins are not installed in production',
  ),

  rule(
    'tests-only-use-what-is-for-tests',
    { path: '^(apps|packages|workflows)/', pathNot: [TEST, FOR_TESTS, TOOLS] },
    { path: FOR_TESTS },
    'the test helpers of a package (`@nereid/…/testing`) are not part of the product',
  ),

  rule(
    'the-command-line-knows-the-api-alone',
    { path: '^apps/cli/', pathNot: [TEST, FOR_TESTS] },
    { path: '^packages/', pathNot: '^packages/((api|config|discovery|domain|identity)/|github/src/(app/)?app-needs)' },
    'the command line is a client of the console: whatever it shows of an installation comes from there; it makes the App of the one list, and explains files that a person has at hand',
  ),
  rule(
    'apps-are-processes-of-their-own',
    { path: '^apps/([^/]+)/', pathNot: [TEST, FOR_TESTS, TOOLS] },
    { path: '^apps/', pathNot: '^apps/$1/' },
    'apps meet in Temporal and in packages',
  ),
  rule(
    'apps-reach-workflows-through-the-bundle',
    { path: '^(apps|packages)/', pathNot: TEST },
    { path: '^workflows/' },
    'workflow code runs in the sandbox: apps know only its types, from the domain, and the path of the bundle',
  ),
  rule(
    'gateway-and-console-are-clients',
    { path: '^(apps/(gateway|console)|packages/process)/', pathNot: TEST },
    { path: '^node_modules/@temporalio/', pathNot: temporal('client', 'common', 'envconfig') },
    'processes that people and webhooks reach load no worker',
  ),
  rule(
    'the-gateway-holds-no-key',
    { path: '^apps/gateway/', pathNot: TEST },
    { path: '^packages/(github|git|terraform|storage|audit|webhook|subprocess)/' },
    'the process that faces the internet must not be able to change anything',
  ),
  rule(
    'the-console-holds-no-key',
    { path: '^apps/console/', pathNot: TEST },
    { path: ['^packages/(git|terraform|audit|webhook|subprocess)/', '^packages/github/'] },
    'the console only shows things: workers act',
  ),
  rule(
    'the-worker-serves-no-browser',
    { path: '^apps/worker/', pathNot: TEST },
    { path: '^node_modules/express/' },
    'no browser ever talks to a worker',
  ),
  ...Object.entries(FLOORS).flatMap(([folder, floors]) => floorRules(folder, floors)),
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};

function rule(name, from, to, comment) {
  return { name, severity: 'error', comment, from, to };
}

/** One rule for each floor but the lowest, and one that no room is forgotten. */
function floorRules(folder, floors) {
  const within = (rooms) => `^${folder}/(${rooms.join('|')})(/|\\.ts$)`;
  const forTests = [TEST, FOR_TESTS];
  return [
    ...floors
      .slice(1)
      .map((rooms, above) =>
        rule(
          `${folder}: no way up from ${rooms.join(', ')}`,
          { path: within(rooms), pathNot: forTests },
          { path: within(floors.slice(0, above + 1).flat()) },
          'imports go down, from one floor to those below it: see floors.js',
        ),
      ),
    rule(
      `${folder}: a room that stands on no floor`,
      { path: `^${folder}/`, pathNot: [...forTests, within(floors.flat())] },
      {},
      'a room has its place among the floors: list it in floors.js',
    ),
  ];
}
