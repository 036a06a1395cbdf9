import type { Rule } from './source-file.ts';

/** The platforms of images and of CI. A mirror of packages may have no others, and npm then leaves out their digests. */
const OUR_CPUS = ['x64', 'arm64'];

/** Of npm's format: packages by path. Workspaces have no `node_modules/` in theirs, links to them no version. */
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Came in the package of another one, and was checked with it. */
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** A package without a digest could be replaced by whoever stands between the registry and us. */
export const packagesHaveDigests: Rule = (files) =>
  files
    .filter(({ path }) => path === 'package-lock.json')
    .flatMap(({ path, text }) => {
      const { packages } = JSON.parse(text) as Lock; // Written by npm.
      return Object.entries(packages)
        .filter(
          ([place, found]) => place.includes('node_modules/') && needsDigest(found) && found.integrity === undefined,
        )
        .map(
          ([place]) => `${path}: ${place} has no integrity; remove it and its parent from the file, then npm install`,
        );
    });

function needsDigest({ version, inBundle, optional, os = ['linux'], cpu = OUR_CPUS }: LockedPackage): boolean {
  const isForOthers = optional === true && !(os.includes('linux') && cpu.some((name) => OUR_CPUS.includes(name)));
  return version !== undefined && inBundle !== true && !isForOthers;
}
