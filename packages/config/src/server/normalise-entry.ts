import { defined } from '@nereid/domain/defined';
import { millisecondsOf } from '@nereid/domain/duration';
import type { PermissionRule } from '@nereid/domain/root';
import { camelKeys } from '../settings/camel-keys.ts';
import { normaliseTimeout } from '../settings/timeout.ts';
import { normaliseEnvironment, normaliseIdentity } from './identity/root-identity.ts';
import { normaliseSecretFiles } from './identity/secret-files.ts';
import type { ActionRules, RepositoryEntry, RootSettings } from './repository-entry.ts';
import { REPOSITORY_KEYS, SETTING_KEYS } from './repository-entry-schema.ts';
import type * as written from './repository-entry-schema.ts';
import { normaliseAutoWhen } from './review/auto-when.ts';
import { normaliseReview } from './review/review-demands.ts';

export function normaliseEntry(entry: written.RepositoryEntry): RepositoryEntry {
  return {
    ...camelKeys(picked(entry, REPOSITORY_KEYS)),
    settings: normaliseSettings(picked(entry, SETTING_KEYS)),
    roots: Object.entries(entry.roots ?? {}).map(([match, settings]) => ({
      match,
      settings: normaliseSettings(settings),
    })),
  };
}

function picked<Whole extends object, Key extends keyof Whole>(whole: Whole, keys: readonly Key[]): Pick<Whole, Key> {
  return Object.fromEntries(keys.flatMap((key) => (key in whole ? [[key, whole[key]]] : []))) as Pick<Whole, Key>; // Just these.
}

function normaliseSettings(settings: written.Settings): RootSettings {
  const { timeout, max_plan_age: maxPlanAge, environment, env_from: envFrom, identity, ...others } = settings;
  const { permissions, review, auto_when: autoWhen, ...plain } = others;
  return {
    ...camelKeys(plain),
    ...(timeout && { timeoutMs: normaliseTimeout(timeout) }),
    ...(maxPlanAge !== undefined && defined({ maxPlanAgeMs: millisecondsOf(maxPlanAge) })),
    ...(environment && { environment: normaliseEnvironment(environment) }),
    ...(envFrom && { envFrom: normaliseSecretFiles(envFrom) }),
    ...(identity && { identity: normaliseIdentity(identity) }),
    ...(permissions && { permissions: normalisePermissions(permissions) }),
    ...(review && { review: normaliseReview(review) }),
    ...(autoWhen && { autoWhen: normaliseAutoWhen(autoWhen) }),
  };
}

function normalisePermissions(permissions: written.Permissions): ActionRules {
  return Object.fromEntries(
    Object.entries(permissions).flatMap(([action, rule]) => (rule ? [[action, normaliseRule(rule)]] : [])),
  );
}

type WrittenRule = NonNullable<written.Permissions[keyof written.Permissions]>;

function normaliseRule({ not_author: notAuthor, permission, teams, users }: WrittenRule): PermissionRule {
  return defined({ permission, teams, users, notAuthor });
}
