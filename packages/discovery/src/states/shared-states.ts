/**
 * Roots whose code says that they keep their states in one place, such as after somebody copied a directory and left its backend as it
 * was. Each of them would plan to destroy what the other one made, so neither is deployed.
 */
import { resolveRoot, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { Root, Step } from '@nereid/domain/root';
import { isOverrideName } from '@nereid/hcl';
import type { LoadedFile, ModuleGraphs } from '../module-graph.ts';
import type { PlacedRoot } from '../placed-root.ts';

/** The same roots; those that share a state are refused by their plans. */
export function refuseSharedStates(
  roots: readonly PlacedRoot[],
  graphs: ModuleGraphs,
  policy: RepositoryPolicy,
): readonly PlacedRoot[] {
  const byState = Map.groupBy(roots, (root) => stateOf(root, graphs));
  const sharing = new Map<PlacedRoot, PlacedRoot>();
  for (const [state, all] of byState) {
    if (state === undefined || all.length === 1) continue;
    const known = all.filter((root) => !isGivenMore(root, policy));
    for (const root of known) {
      const other = known.find(({ place }) => place !== root.place);
      if (other !== undefined) sharing.set(root, other);
    }
  }
  if (sharing.size === 0) return roots;
  return roots.map((root) => {
    const other = sharing.get(root);
    return other === undefined ? root : { ...root, refused: why(other) };
  });
}

/** With the server's settings, as it is deployed. */
export function resolvePlaced(policy: RepositoryPolicy, { config, place, refused, twins }: PlacedRoot): Root {
  return { ...resolveRoot(policy, { ...defined({ refused }), ...config }, place), ...defined({ twins }) };
}

/** Undefined where the code does not say it all, or says something else to Terraform than to OpenTofu. */
function stateOf({ config: { workspace }, place }: PlacedRoot, graphs: ModuleGraphs): string | undefined {
  const states = new Set(
    [graphs.terraform, graphs.tofu].flatMap(({ uses }) => {
      const backends = (uses.get(place)?.files ?? []).filter(([, { hasBackend }]) => hasBackend);
      return backends.length === 0 ? [] : [countingState(backends)];
    }),
  );
  const [state, ...others] = states;
  return state === undefined || others.length > 0 ? undefined : JSON.stringify([state, workspace]);
}

/** The block of the last override counts, and nothing of the others. Without overrides, several are an error. */
function countingState(backends: readonly LoadedFile[]): string | undefined {
  const overrides = backends.filter(([, , name]) => isOverrideName(name));
  const [counting, ...others] = overrides.length === 0 ? backends : lastByName(overrides);
  return others.length > 0 ? undefined : counting?.[1].state;
}

function lastByName(files: readonly LoadedFile[]): readonly LoadedFile[] {
  return files.toSorted(([, , one], [, , other]) => (one < other ? -1 : 1)).slice(-1);
}

/** Arguments and variables of its steps may say more of the backend, or choose another workspace. */
function isGivenMore({ config, place }: PlacedRoot, policy: RepositoryPolicy): boolean {
  return resolveRoot(policy, config, place).steps.plan.some((step) => !isPlain(step));
}

function isPlain(step: Step): boolean {
  return step.kind === 'plan' || (step.kind === 'init' && step.extraArgs.length === 0);
}

function why({ config: { name, dir } }: PlacedRoot): string {
  return (
    `expected a state of its own, found that root ${name} in ${JSON.stringify(dir.slice(0, 200))} names the same ` +
    'state in its backend, so that each would destroy what the other one made; give one of them another key'
  );
}
