/** The package.json of the package, and those of the workspaces within it. */
import { withCompiledNames } from './compile.ts';
import { bundled, workspacesOfCli } from './package-files.ts';
import { installedFor, isOurs, type Repository } from './repository.ts';

/** The platforms for which npm has the pinned Node. Elsewhere, a person needs a Node that is new enough. */
const PLATFORMS = ['linux-x64', 'linux-arm64'] as const;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Exact versions, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export function manifestOf(repository: Repository): Manifest {
  const { version, node } = repository;
  const ours = bundled(repository).map(({ name }) => name);
  return {
    name: 'nereid',
    version,
    description: 'The command line of Nereid, which deploys Terraform from GitHub',
    license: 'Apache-2.0',
    // On npm's registry, the name is somebody else's.
    private: true,
    type: 'module',
    bin: { nereid: 'bin/nereid.js' },
    engines: { node: '>=20' },
    dependencies: { ...Object.fromEntries(ours.map((name) => [name, version])), ...others(repository) },
    bundleDependencies: ours,
    // Node 20 cannot run what is written for Node 24, so it hands over.
    optionalDependencies: Object.fromEntries(PLATFORMS.map((platform) => [`node-${platform}`, node])),
  };
}

/** Whatever a workspace needs is a dependency of the package, where all of them find it. */
export function manifestWithin(text: string): string {
  const { name, version, license, type, exports } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return withCompiledNames(asText({ name, version, license, type, exports }));
}

export function asText(manifest: object): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function others(repository: Repository): Readonly<Record<string, string>> {
  const versions = new Map<string, string>();
  for (const workspace of workspacesOfCli(repository)) {
    for (const name of Object.keys(workspace.dependencies).filter((dependency) => !isOurs(dependency))) {
      const version = installedFor(workspace, name, repository);
      const other = versions.get(name) ?? version;
      if (other !== version)
        throw new Error(`expected one version of ${name} in all workspaces, found ${other} and ${version}`);
      versions.set(name, version);
    }
  }
  return Object.fromEntries([...versions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
