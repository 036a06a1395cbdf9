import type { Rule } from './source-file.ts';

/** Of npm's format: packages by path. Workspaces have no `node_modules/` in theirs, links to them no version. */
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Came in the package of another one, and was checked with it. */
  readonly inBundle?: boolean;
}

/** A package without a digest could be replaced by whoever stands between the registry and us. */
export const packagesHaveDigests: Rule = (files) =>
  files
    .filter(({ path }) => /(?:^|\/)package-lock\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const { packages } = JSON.parse(text) as Lock; // Written by npm.
      return Object.entries(packages)
        .filter(
          ([place, found]) => place.includes('node_modules/') && needsDigest(found) && found.integrity === undefined,
        )
        .map(
          ([place]) =>
            `${path}: ${place} has no integrity; npm leaves it out where a mirror has no packages of other platforms: npm view <name>@<version> dist.integrity`,
        );
    });

/** The same of Python's packages: pip asks for the digests of all as soon as one has some. */
export const pythonPackagesHaveDigests: Rule = (files) =>
  files
    .filter(({ path }) => /(?:^|\/)requirements\.txt$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .replaceAll('\\\n', '')
        .split('\n')
        .filter((line) => !/^(#|$)|==.* --hash=sha256:[0-9a-f]{64}/.test(line))
        .map((line) => `${path}: ${line} has no --hash; the first lines of the file say how to make it`),
    );

function needsDigest({ version, inBundle }: LockedPackage): boolean {
  return version !== undefined && inBundle !== true;
}
