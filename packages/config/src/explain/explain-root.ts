/**
 * Explains the configuration of one root. Values come from the same functions that a deployment's own settings come from; here, each
 * is traced to the places that set it.
 */
import type { Step } from '@nereid/domain/root';
import { resolveRoot } from '../repository/resolve-root.ts';
import { placeOf } from '../server/glob.ts';
import type { RootConfig } from '../repository/repository-config.ts';
import { policyFor } from '../server/repository-policy/policy.ts';
import type { ServerConfig } from '../server/server-config.ts';
import { partOf } from '../yaml/sound.ts';
import { readYaml } from '../yaml/yaml-source.ts';
import { explainSetting } from './explain-setting.ts';
import type { ExplainedSetting, Explanation } from './explanation.ts';
import { explainBudgets } from './explain-budgets.ts';
import { explainNotifications } from './explain-notifications.ts';
import { explainProtection } from './explain-protection.ts';
import { explainWaves } from './explain-waves.ts';
import { explainWindows } from './explain-windows.ts';
import { explainOwn, placeInDeclaration, type Declaration } from './own-settings.ts';
import { placeIn, serverParts, type NamedSource, type Part } from './parts.ts';
import { explainRepository } from './repository-settings.ts';
import { explainAutoWhen, explainPeople } from './review-settings.ts';
import { rootSettings } from './root-settings.ts';
import { explainIdentity, explainPermissions, explainPolicies, explainVariables } from './together.ts';

export interface ToExplain {
  readonly server: { readonly file: string; readonly text: string; readonly config: ServerConfig };
  /** `owner/name`. */
  readonly repository: string;
  readonly root: RootConfig;
  readonly realDir: string;
  /** The file that declares the root, as `dirAt` names it; absent for a root that is discovered. */
  readonly declaredIn?: { readonly file: string; readonly text: string };
}

/** Undefined where no entry of the server's file is about the repository. Both files have been read without a problem. */
export function explainRoot({ server, repository, root, realDir, declaredIn }: ToExplain): Explanation | undefined {
  const policy = policyFor(server.config, repository);
  if (policy === undefined) return undefined;
  const named = sourceNamed(server);
  const place = placeOf({ ...root, realDir });
  const { rules, entries, whole } = serverParts(server.config, named, repository, place);
  const declaration = declaredIn && declarationOf(sourceNamed(declaredIn), root);
  const own = declaration === undefined ? [] : [ownPart(declaration, root)];
  const parts = [...rules, ...entries];
  const resolved = resolveRoot(policy, root, realDir);
  return {
    ...{ repository, root: root.name, dir: root.dir },
    ...(realDir !== root.dir && { realDir }),
    ...(declaration && { declaredAt: placeIn(declaration.named, [declaration.list, declaration.index]) }),
    settings: [
      ...explainOwn(root, declaration),
      ...rootSettings(policy, root, realDir).flatMap((setting) => {
        const explained = explainSetting(setting, [...rules, ...own, ...entries, whole]);
        return setting.key === 'workflow'
          ? [explained, ...explainSteps(setting.result, resolved.steps, named)]
          : [explained];
      }),
      explainPeople(resolved, parts),
      explainAutoWhen(resolved, parts),
      ...explainPermissions(resolved.permissions, parts),
      ...explainPolicies(server.config, named, repository, place),
      ...explainWindows(server.config, named, repository, place),
      ...explainBudgets(server.config, named, repository, place),
      ...explainWaves(server.config, named, repository, place),
      ...explainProtection(server.config, named, repository, place),
      ...explainNotifications(server.config, named, repository, place),
      explainIdentity(server.config, repository, place, parts),
      ...explainVariables(server.config, repository, place, parts),
      ...explainAllowed(server.config, named),
      ...explainRepository(policy, entries),
    ],
  };
}

function sourceNamed({ file, text }: { readonly file: string; readonly text: string }): NamedSource {
  const yaml = readYaml(text, { furtherDocuments: 'ignored' });
  if (yaml.kind === 'invalid') throw new Error(`expected ${file} as it was read before, found it broken`);
  return { file, source: yaml.source };
}

/** Its place in the list is a part of the place of its directory. */
function declarationOf(named: NamedSource, { dirAt }: RootConfig): Declaration | undefined {
  const [, list, index] = /^(roots|projects)\[(\d+)\]/.exec(dirAt?.path ?? '') ?? [];
  return list === undefined
    ? undefined
    : { named, list: list === 'roots' ? 'roots' : 'projects', index: Number(index) };
}

function ownPart(declaration: Declaration, settings: RootConfig): Part {
  const { named, list, index } = declaration;
  const placeOf = (key: string) => placeInDeclaration(declaration, key) ?? placeIn(named, [list, index]);
  return { kind: 'repository', settings, placeOf };
}

function explainSteps(
  workflow: string,
  steps: { readonly plan: readonly Step[]; readonly apply: readonly Step[] },
  named: NamedSource,
): readonly ExplainedSetting[] {
  return (['plan', 'apply'] as const).map((job) => {
    const path = ['workflows', workflow, job];
    const isWritten = partOf(partOf(named.source.value, 'workflows'), workflow) !== undefined;
    const value = steps[job].map(describeStep);
    return {
      key: `steps.${job}`,
      value,
      isDefault: !isWritten,
      choice: 'first',
      sources: isWritten ? [{ kind: 'server', at: placeIn(named, path), value, counts: true }] : [],
    };
  });
}

function describeStep(step: Step): string {
  switch (step.kind) {
    case 'run':
      return `run: ${step.run}`;
    case 'refuse':
      return `refuse: ${step.why}`;
    case 'env':
      return `env: ${step.name}`;
    default:
      return [step.kind, ...step.extraArgs].join(' ');
  }
}

/** The names of the host's variables that jobs see. */
function explainAllowed({ terraform }: ServerConfig, named: NamedSource): readonly ExplainedSetting[] {
  const lists = {
    env_allow: terraform.envAllow,
    env_allow_preview: terraform.envAllowPreview,
    env_allow_plan: terraform.envAllowPlan,
    env_allow_apply: terraform.envAllowApply,
  };
  return Object.entries(lists).map(([key, value]) => ({
    key: `terraform.${key}`,
    value,
    isDefault: value.length === 0,
    choice: 'first',
    sources:
      value.length === 0 ? [] : [{ kind: 'server', at: placeIn(named, ['terraform', key]), value, counts: true }],
  }));
}
