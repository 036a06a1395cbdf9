/**
 * What a root is to clouds. A rule gives something here, and asks for nothing: so of several rules that match, the first counts,
 * and a root that is known by several directories gets only what each of them has.
 */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '@nereid/domain/defined';
import type { PlanReviewPolicy } from '@nereid/domain/root';
import type { Phase } from '@nereid/domain/tokens';
import type { ServerConfig } from '../server-config.ts';
import { secretFilesFor, settingsByDirectory, type KnownPlace, type WithRules } from './secret-files.ts';
import type { WrittenEnvironment, WrittenIdentity } from './identity-schema.ts';
import type { Environments, IdentitySettings, RootSettings } from '../repository-entry.ts';

export interface RootIdentity {
  readonly environment: Environments;
  readonly identity?: IdentitySettings;
}

/** `repository` is `owner/name`. */
export function identityFor({ repositories }: WithRules, repository: string, place: KnownPlace): RootIdentity {
  const [first = NOTHING, ...others] = settingsByDirectory(repositories, repository, place).map(firstOf);
  return others.reduce(inCommon, first);
}

/** With `planReview`, the plan that is applied may be a preview's: code that nobody had merged made it. */
interface ReviewedPlace extends KnownPlace {
  readonly planReview?: PlanReviewPolicy;
}

/**
 * Whether an apply of the root can be something that its plan cannot. Then nothing that the code of the plan left behind may take
 * part in the apply.
 */
export function hasOwnApplyIdentity(
  server: WithRules & Pick<ServerConfig, 'terraform'>,
  repository: string,
  place: ReviewedPlace,
): boolean {
  const { environment, identity } = identityFor(server, repository, place);
  const secrets = secretFilesFor(server, repository, place);
  const { envAllow, envAllowPlan, envAllowApply, envAllowPreview } = server.terraform;
  const hasOtherPlan =
    !isDeepStrictEqual(environment.plan, environment.apply) ||
    !isDeepStrictEqual(secrets.plan, secrets.apply) ||
    !isDeepStrictEqual(envAllowPlan, envAllowApply);
  const hasOtherPreview =
    !isDeepStrictEqual(secrets.preview, secrets.apply) ||
    !isDeepStrictEqual(new Set(envAllowPreview), new Set([...envAllow, ...envAllowApply]));
  return identity !== undefined || hasOtherPlan || (place.planReview === 'before_merge' && hasOtherPreview);
}

export function normaliseEnvironment({ plan = {}, apply = {} }: WrittenEnvironment): Environments {
  return { plan, apply };
}

export function normaliseIdentity({ audience, google }: WrittenIdentity): IdentitySettings {
  if (google === undefined) return { audience };
  const { plan, apply } = google.service_account ?? {};
  const serviceAccount = defined({ plan, apply });
  return { audience, google: { provider: google.provider, serviceAccount } };
}

const NOTHING: RootIdentity = { environment: { plan: {}, apply: {} } };

/** Variables are merged name by name. */
function firstOf(all: readonly Pick<RootSettings, 'environment' | 'identity'>[]): RootIdentity {
  const identity = all.find((settings) => settings.identity)?.identity;
  const below = all.flatMap(({ environment }) => environment ?? []).toReversed();
  const variablesOf = (phase: Phase) => Object.fromEntries(below.flatMap((each) => Object.entries(each[phase])));
  return {
    environment: { plan: variablesOf('plan'), apply: variablesOf('apply') },
    ...(identity && { identity }),
  };
}

function inCommon(one: RootIdentity, other: RootIdentity): RootIdentity {
  const both = (phase: Phase) =>
    Object.fromEntries(
      Object.entries(one.environment[phase]).filter(([name, value]) => other.environment[phase][name] === value),
    );
  const isSame = isDeepStrictEqual(one.identity, other.identity);
  return {
    environment: { plan: both('plan'), apply: both('apply') },
    ...(isSame && one.identity && { identity: one.identity }),
  };
}
