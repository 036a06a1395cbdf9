/** The settings that several sources make together: permissions, variables, identities, policies. */
import { isDeepStrictEqual } from 'node:util';
import { PERMISSION_KEYS } from '@nereid/domain/actions';
import { describeRule } from '@nereid/domain/gates';
import type { PermissionRule, Permissions } from '@nereid/domain/root';
import { identityFor } from '../server/identity/root-identity.ts';
import { secretFilesFor, type KnownPlace } from '../server/identity/secret-files.ts';
import { describeOwners, planPoliciesFor } from '../server/policies/plan-policies.ts';
import { matchesRoot, type RootPlace } from '../server/glob.ts';
import type { IdentitySettings, RootSettings } from '../server/repository-entry.ts';
import type { PlanPolicy } from '../server/policies/plan-policies.ts';
import type { ServerConfig } from '../server/server-config.ts';
import { sourceOf, whyNot } from './explain-setting.ts';
import type { ExplainedSetting, SettingSource } from './explanation.ts';
import { placeIn, type NamedSource, type Part } from './parts.ts';

/** Each action with what it takes at least; all rules that match have to hold. */
export function explainPermissions(permissions: Permissions, parts: readonly Part[]): readonly ExplainedSetting[] {
  return PERMISSION_KEYS.map((action) => {
    const key = `permissions.${action}`;
    const rules = permissions[action] ?? [];
    const left: PermissionRule[] = [...rules];
    const found = parts.flatMap((part) => {
      const rule = part.settings.permissions?.[action];
      if (rule === undefined) return [];
      const at = left.findIndex((one) => isDeepStrictEqual(one, rule));
      if (at !== -1) left.splice(at, 1);
      return [{ source: sourceOf(part, key, describeRule(action, [rule])), counts: at !== -1 }];
    });
    const isDefault = rules.length === 0;
    return { key, value: describeRule(action, rules), isDefault, choice: 'together', sources: withReasons(found) };
  });
}

/** Names alone: their values, and the files of secrets, are nobody else's business. */
export function explainVariables(
  server: Pick<ServerConfig, 'repositories'>,
  repository: string,
  place: KnownPlace,
  parts: readonly Part[],
): readonly ExplainedSetting[] {
  const { environment } = identityFor(server, repository, place);
  const secrets = secretFilesFor(server, repository, place);
  const plain = (['plan', 'apply'] as const).map((phase) =>
    explainNames(`environment.${phase}`, environment[phase], parts, (settings) => settings.environment?.[phase]),
  );
  const secret = (['preview', 'plan', 'apply'] as const).map((phase) =>
    explainNames(`env_from.${phase}`, secrets[phase], parts, (settings) => settings.envFrom?.[phase]),
  );
  return [...plain, ...secret];
}

type Variables = Readonly<Record<string, string>>;

/** For each variable the first source counts. */
function explainNames(
  key: string,
  result: Variables,
  parts: readonly Part[],
  variablesOf: (settings: RootSettings) => Variables | undefined,
): ExplainedSetting {
  const left = new Set(Object.keys(result));
  const found = parts.flatMap((part) => {
    const names = Object.keys(variablesOf(part.settings) ?? {});
    if (names.length === 0) return [];
    const own = names.filter((name) => left.delete(name));
    return [{ source: sourceOf(part, key, names), counts: own.length > 0 }];
  });
  const value = Object.keys(result).toSorted();
  return {
    key,
    value,
    isDefault: value.length === 0,
    choice: 'first',
    sources: found.map(({ source, counts }) =>
      counts ? { ...source, counts } : { ...source, counts, why: NOT_FIRST },
    ),
  };
}

const NOT_FIRST = 'an earlier source has its names, or another directory of the root lacks them';

export function explainIdentity(
  server: Pick<ServerConfig, 'repositories'>,
  repository: string,
  place: KnownPlace,
  parts: readonly Part[],
): ExplainedSetting {
  const { identity } = identityFor(server, repository, place);
  let isFound = identity === undefined;
  const found = parts.flatMap((part) => {
    const own = part.settings.identity;
    if (own === undefined) return [];
    const counts = !isFound && isDeepStrictEqual(own, identity);
    isFound ||= counts;
    return [{ source: sourceOf(part, 'identity', describeIdentity(own)), counts }];
  });
  return {
    key: 'identity',
    value: identity === undefined ? 'none' : describeIdentity(identity),
    isDefault: identity === undefined,
    choice: 'first',
    sources: found.map(({ source, counts }) =>
      counts
        ? { ...source, counts }
        : { ...source, counts, why: 'an earlier source counts, or another directory of the root has another one' },
    ),
  };
}

function describeIdentity({ audience, google }: IdentitySettings): string {
  if (google === undefined) return `a token for ${audience}`;
  const accounts = Object.entries(google.serviceAccount).map(([phase, account]) => `, ${phase}s as ${account}`);
  return `a token for ${audience}, which ${google.provider} takes${accounts.join('')}`;
}

/** Every policy that matches judges. */
export function explainPolicies(
  server: Pick<ServerConfig, 'policies'>,
  named: NamedSource,
  repository: string,
  place: KnownPlace,
): readonly ExplainedSetting[] {
  const judging = planPoliciesFor(server, repository, place);
  return [...server.policies.entries()]
    .filter(([, policy]) => judging.includes(policy))
    .map(([index, policy]) => {
      const at = placeIn(named, ['policies', index]);
      return {
        key: `policies.${policy.name}`,
        value: describePolicy(policy),
        isDefault: false,
        choice: 'together',
        sources: [{ kind: 'server', at, match: matchOf(policy, place), value: policy.enforce, counts: true }],
      };
    });
}

function describePolicy({ enforce, owners }: PlanPolicy): string {
  const who = describeOwners(owners);
  return who === '' ? enforce : `${enforce}; ${who} may override it`;
}

export function matchOf({ roots, repositories }: Pick<PlanPolicy, 'roots' | 'repositories'>, place: RootPlace): string {
  const rule = roots.find((match) => matchesRoot(match, place)) ?? 'all roots';
  return `${rule} of ${repositories.length === 0 ? 'all repositories' : repositories.join(', ')}`;
}

interface Found {
  readonly source: Omit<SettingSource, 'counts'>;
  readonly counts: boolean;
}

function withReasons(found: readonly Found[]): readonly SettingSource[] {
  const winner = found.find(({ counts }) => counts)?.source;
  return found.map(({ source, counts }) =>
    counts ? { ...source, counts } : { ...source, counts, why: whyNot(source, winner, 'together') },
  );
}
