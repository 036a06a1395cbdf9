import type { RepositoryPolicy } from '@nereid/config';
import type { Sender } from '@nereid/domain/intake';
import type { Repository, Root } from '@nereid/domain/root';
import pMap from 'p-map';
import { lanePlace, LANES_ASKED } from '../lane/lane-place.ts';
import type { PatientCall } from '../person/ask-patiently.ts';
import { broughtBy } from '../person/contributors.ts';
import { askerOf, denialsFor } from '../person/permission.ts';
import type { RevisionTools } from '../root/revision-tools.ts';

/** The roots of a pull request's head that somebody wants planned again. */
export interface PlansAsked {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly headSha: string;
  readonly roots: readonly Pick<Root, 'name' | 'dir' | 'realDir'>[];
  /** More roots, of which only their lanes tell where they were. */
  readonly names?: readonly string[];
}

/** Why the person may not have them planned, each reason with its roots. Empty when the person may have all of them. */
export async function whyNotPlanned(
  call: RevisionTools & Omit<PatientCall, 'context'>,
  asker: Sender,
  { repository, policy, headSha, roots, names = [] }: PlansAsked,
): Promise<readonly string[]> {
  const known = [...roots.map((root) => ({ name: root.name, at: [root] })), ...names.map((name) => ({ name, at: [] }))];
  const places = await pMap(known, ({ name, at }) => lanePlace(call, repository, name, at), LANES_ASKED);
  const question = {
    repository,
    policy,
    action: 'plan',
    ...askerOf(asker),
    brought: () => broughtBy(headSha),
  } as const;
  return denialsFor(call, question, places);
}
