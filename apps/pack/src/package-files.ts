/** Which files of the repository are in the package, and as what. */
import { compiledName } from './compile.ts';
import { withNeeded, type Repository, type Workspace } from './repository.ts';

export interface PackageFile {
  /** Within the package, with slashes. */
  readonly name: string;
  /** From the top of the repository. */
  readonly source: string;
}

/** Its files are at the top of the package. */
const CLI = '@nereid/cli';

/** `nereid demo` starts these, and copies them out of the package first: see apps/cli/src/demo. */
export const DEMO = 'demo/';
const STARTED_BY_DEMO = ['@nereid/local', '@nereid/gateway', '@nereid/worker', '@nereid/console'];

export function packageFiles(repository: Repository): readonly PackageFile[] {
  const legal = ['LICENSE', 'NOTICE'].map((source) => ({ name: source, source }));
  const readme = { name: 'README.md', source: 'apps/docs/reference/command-line.md' };
  const ofCli = workspacesOfCli(repository).flatMap((workspace) => filesOf(workspace, repository));
  return [...legal, readme, ...ofCli, ...demoFiles(repository)];
}

/** The command line, and the workspaces that it needs. */
export function workspacesOfCli(repository: Repository): readonly Workspace[] {
  return withNeeded(repository, [CLI]);
}

/** The workspaces that come along in the `node_modules` of the package. */
export function bundled(repository: Repository): readonly Workspace[] {
  return workspacesOfCli(repository).filter(({ name }) => name !== CLI);
}

function filesOf({ name, folder }: Workspace, { files }: Repository): readonly PackageFile[] {
  const place = name === CLI ? '' : `node_modules/${name}/`;
  const ownManifest = `${folder}/package.json`;
  return files
    .filter((file) => file.startsWith(`${folder}/`) && /\.(ts|js)$/.test(file) && !isForTests(file))
    .concat(name === CLI ? [] : [ownManifest])
    .map((source) => ({ name: compiledName(place + source.slice(folder.length + 1)), source }));
}

/** A clone without whatever no demo reads. npm wants to see the manifests of all workspaces that its lock file has. */
function demoFiles(repository: Repository): readonly PackageFile[] {
  const { files, workspaces } = repository;
  const manifests = ['package.json', 'package-lock.json', ...workspaces.map(({ folder }) => `${folder}/package.json`)];
  const scripts = ['.config/prepared.sh', '.config/step.sh'];
  const sources = withNeeded(repository, STARTED_BY_DEMO).flatMap(({ folder }) =>
    files.filter((file) => file.startsWith(`${folder}/`) && !NOT_IN_DEMO.test(file) && !isForTests(file)),
  );
  return [...new Set([...manifests, ...scripts, ...sources])].map((source) => ({
    name: DEMO + compiledName(source),
    source,
  }));
}

/** Grounds of tests alone, and documents. */
const NOT_IN_DEMO =
  /^apps\/local\/src\/(courier|faults|fuzz|production|pull-requests|reproductions|thief|upgrade)\/|^packages\/test-kit\/src\/(production|prometheus|temporal\/postgres|tidy)\/|\.md$/;

function isForTests(file: string): boolean {
  return /\.(test|fixture)\.ts$|\/testing(\/|\.ts$)|\/(fixtures|golden|histories)\//.test(file);
}
