/**
 * The workflow that a project of `atlantis.yaml` names. Without it, another deployment would be made than the one that Atlantis
 * makes, unless the file itself shows that it only says what is so here anyway.
 */
import { quote } from '../../yaml/problem.ts';
import { isMapping } from '../../yaml/sound.ts';
import type { RepositoryPolicy } from '../../server/repository-policy/policy.ts';
import { settingsFor } from '../../server/repository-policy/settings-for.ts';
import type { RootConfig } from '../repository-config.ts';

export type NamedWorkflow =
  | { readonly kind: 'known' }
  /** Nothing else is deployed without it. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

export interface Judging {
  readonly policy: RepositoryPolicy;
  /** What the file has under `workflows`, as it is written. */
  readonly definitions: unknown;
}

export function judgeWorkflow(
  name: string,
  root: Pick<RootConfig, 'name' | 'dir'>,
  { policy, definitions }: Judging,
): NamedWorkflow {
  const isThere = policy.workflows.has(name);
  const { fixed, workflow } = settingsFor(policy, {
    name: root.name,
    dirs: [root.dir],
  });
  if (isThere && policy.allowedOverrides.includes('workflow') && fixed.workflow === undefined) return { kind: 'known' };
  const missing = isThere
    ? `the server does not let this repository choose the workflow ${quote(name)}`
    : `the server has no workflow ${quote(name)}`;
  if (workflow !== undefined)
    return {
      kind: 'ignored',
      why: `${missing}; the server's own choice counts`,
    };
  const difference = differenceOf(name, isMapping(definitions) ? definitions[name] : undefined);
  if (difference === undefined) return { kind: 'ignored', why: `${missing}; it is ignored` };
  const remedy = isThere ? 'let it, by allowed_overrides' : "add it to the server's file";
  return {
    kind: 'refused',
    why: `${missing}, ${difference}: ${remedy}, or remove it`,
  };
}

/** Atlantis's own, unless somebody defines it otherwise. */
const DEFAULT = 'default';

/** What would be deployed otherwise without the workflow; undefined when it is the standard one in other words. */
function differenceOf(name: string, definition: unknown): string | undefined {
  if (definition === undefined && name === DEFAULT) return undefined;
  if (!isMapping(definition)) return 'so what it does is not known';
  for (const stage of ['plan', 'apply']) {
    const { steps } = isMapping(definition[stage]) ? definition[stage] : {};
    for (const step of Array.isArray(steps) ? (steps as readonly unknown[]) : []) {
      const difference = differenceOfStep(step);
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
}

const STANDARD_STEPS: readonly unknown[] = ['init', 'plan', 'show', 'policy_check', 'apply'];

/** They decide neither what is deployed nor where its state is. */
const HARMLESS =
  /^--?(?:parallelism=\d+|lock(?:=\w+)?|lock-timeout=\w+|no-color|compact-warnings|input=\w+|detailed-exitcode)$/;

function differenceOfStep(step: unknown): string | undefined {
  if (STANDARD_STEPS.includes(step)) return undefined;
  const [[kind, settings] = ['', undefined]] = isMapping(step) ? Object.entries(step) : [];
  if (!STANDARD_STEPS.includes(kind)) return `which has a step ${quote(kind === '' ? String(step) : kind)}`;
  const args = isMapping(settings) ? settings['extra_args'] : undefined;
  const argument = (Array.isArray(args) ? args : []).map(String).find((arg) => !HARMLESS.test(arg));
  return argument === undefined ? undefined : `which has the argument ${quote(argument)}`;
}
