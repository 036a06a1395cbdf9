/** The settings that a repository's file alone has: what the root is, and what goes before it. */
import type { RootConfig } from '../repository/repository-config.ts';
import type { Path, Place } from '../yaml/problem.ts';
import { partOf } from '../yaml/sound.ts';
import type { ExplainedSetting } from './explanation.ts';
import { placeIn, type NamedSource } from './parts.ts';

/** The entry of a root in the file that declares it. */
export interface Declaration {
  readonly named: NamedSource;
  /** `roots` of `nereid.yaml` or of a file that it includes; `projects` of `atlantis.yaml`. */
  readonly list: 'roots' | 'projects';
  readonly index: number;
}

/** What Atlantis calls them. */
const OF_ATLANTIS: Readonly<Record<string, Path>> = {
  when_modified: ['autoplan', 'when_modified'],
  enabled: ['autoplan', 'enabled'],
  distribution: ['terraform_distribution'],
};

/** Where the declaration has a key of ours; undefined where it has none. */
export function placeInDeclaration({ named, list, index }: Declaration, key: string): Place | undefined {
  const local = (list === 'projects' ? OF_ATLANTIS[key] : undefined) ?? key.split('.');
  const path = [list, index, ...local];
  return valueAt(named.source.value, path) === undefined ? undefined : placeIn(named, path);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, key) => (Array.isArray(found) ? (found as readonly unknown[])[Number(key)] : partOf(found, String(key))),
    value,
  );
}

export function explainOwn(config: RootConfig, declaration: Declaration | undefined): readonly ExplainedSetting[] {
  const { workspace, enabled, whenModified, varFiles, varFilesIfThere = [], dependsOn = [] } = config;
  const values: Readonly<Record<string, string | readonly string[]>> = {
    workspace,
    enabled: enabled ? 'yes' : 'no: only a person deploys it',
    when_modified: whenModified ?? 'the files that the root reads',
    var_files: [...varFiles, ...varFilesIfThere.map((file) => `${file}, if the revision has it`)],
    depends_on: dependsOn,
    execution_order_group: String(config.executionOrderGroup ?? 0),
  };
  return Object.entries(values).map(([key, value]) => {
    const at = declaration && placeInDeclaration(declaration, key);
    return {
      key,
      value,
      isDefault: at === undefined,
      choice: 'first',
      sources: at === undefined ? [] : [{ kind: 'repository', at, value, counts: true }],
    };
  });
}
