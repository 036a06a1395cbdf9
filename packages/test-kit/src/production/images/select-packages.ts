/** Of npm's format: packages by path; workspaces, and the links to them, are packages like others. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  /** Of a link: the folder of the workspace. */
  readonly resolved?: string;
  readonly link?: true;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * The part of a lock file that workspaces need at run time. `npm ci --omit=dev --workspace …` installs much more: what the
 * development dependencies of a workspace depend on, where these are workspaces themselves.
 * Throws where a package that is needed is not in the lock file.
 */
export function selectPackages<Whole extends Lock>(lock: Whole, workspaces: readonly string[]): Whole {
  const selected = new Set<string>();
  const waiting = workspaces.map((name) => linkTo(lock, name));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (selected.has(path)) continue;
    selected.add(path);
    waiting.push(...neededBy(lock, path));
  }
  const { devDependencies: _, ...top } = lock.packages[''] ?? {};
  const folders = [...selected].filter((path) => !path.includes('node_modules/'));
  const packages = Object.entries(lock.packages).filter(([path]) => selected.has(path));
  return {
    ...lock,
    packages: {
      '': { ...top, workspaces: folders.toSorted() },
      ...Object.fromEntries(packages.map(([path, found]) => [path, withoutDevelopment(found)])),
    },
  };
}

function withoutDevelopment({ devDependencies: _, ...rest }: LockedPackage): LockedPackage {
  return rest;
}

function linkTo(lock: Lock, workspace: string): string {
  const path = `node_modules/${workspace}`;
  if (lock.packages[path]?.link === true) return path;
  throw new Error(`expected ${workspace} to be a workspace, found none in package-lock.json; correct its name`);
}

function neededBy(lock: Lock, path: string): readonly string[] {
  const { link, resolved, ...found } = lock.packages[path] ?? {};
  if (link === true) return resolved === undefined ? [] : [resolved];
  const { dependencies, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = found;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
    const place = placeOf(lock, name, path);
    if (place !== undefined) return [place];
    if (name in optionalDependencies) return [];
    throw new Error(`expected ${name}, which ${path} needs, in package-lock.json, found none; run npm install`);
  });
}

/** As Node looks for it: in the package itself, then in each folder above. */
function placeOf(lock: Lock, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folderAbove(folder)) {
    const place = [folder, 'node_modules', name].filter((part) => part !== '').join('/');
    if (place in lock.packages) return place;
    if (folder === '') return undefined;
  }
}

/** The package that a package is installed in; of others the top. */
function folderAbove(path: string): string {
  const at = path.lastIndexOf('/node_modules/');
  return at === -1 ? '' : path.slice(0, at);
}
