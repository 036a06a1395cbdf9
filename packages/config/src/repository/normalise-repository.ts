import { defined } from '@nereid/domain/defined';
import { posix } from 'node:path';
import { normaliseTimeout } from '../settings/timeout.ts';
import { placeAt } from '../yaml/report.ts';
import type { YamlSource } from '../yaml/yaml-source.ts';
import type { RepositoryConfig, RootConfig } from './repository-config.ts';
import type { RepositoryFile, RootEntry } from './repository-schema.ts';
import { rootNameOf } from './root-name.ts';

/** Fills in defaults, and gives directories one spelling. Nothing is refused here: the rules see the intended values. */
export function normaliseRepository(written: RepositoryFile, source: YamlSource): RepositoryConfig {
  return {
    source: 'nereid.yaml',
    roots: (written.roots ?? []).map((root, index) => ({
      ...normaliseRoot(root),
      dirAt: placeAt(source, ['roots', index, 'dir']),
    })),
    autodiscover: { mode: written.autodiscover?.mode ?? 'auto', ignore: written.autodiscover?.ignore ?? [] },
  };
}

/** Turns `./infra//network/` into `infra/network`. */
export function normaliseDir(dir: string): string {
  const normal = posix.normalize(dir);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

export function normaliseRoot(root: RootEntry): RootConfig {
  const dir = normaliseDir(root.dir);
  return {
    name: root.name ?? rootNameOf(dir),
    dir,
    workspace: root.workspace ?? 'default',
    enabled: root.enabled ?? true,
    varFiles: root.var_files ?? [],
    ...(root.when_modified && { whenModified: root.when_modified }),
    ...defined({ terraformVersion: root.terraform_version }),
    ...(root.distribution && { distribution: root.distribution }),
    ...(root.depends_on && { dependsOn: [...new Set(root.depends_on)] }),
    ...defined({ executionOrderGroup: root.execution_order_group }),
    ...(root.plan_review && { planReview: root.plan_review }),
    ...(root.queue && { queue: root.queue }),
    ...(root.on_failure && { onFailure: root.on_failure }),
    ...(root.timeout && { timeoutMs: normaliseTimeout(root.timeout) }),
    ...defined({ hosts: root.hosts, workflow: root.workflow }),
  };
}
