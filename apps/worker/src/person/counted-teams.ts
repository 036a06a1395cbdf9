/** For which of the teams that have to confirm a plan a person counts. It is found out at the press, and signed with it. */
import { placeOf, settingsFor, type RepositoryPolicy } from '@nereid/config';
import type { Repository, Root } from '@nereid/domain/root';
import type { RevisionTools } from '../root/revision-tools.ts';
import { askPatiently, type PatientCall } from './ask-patiently.ts';

/** By the order of the deployment and by the server's file, which may have changed since: an answer has to meet both. */
export function teamsAskedOf(policy: RepositoryPolicy, root: Root): readonly string[] {
  const { review } = settingsFor(policy, placeOf(root));
  return [...new Set([...(root.review?.eachOf ?? []), ...(review?.eachOf ?? [])])];
}

type CountedTeams =
  | { readonly kind: 'known'; readonly teams: readonly string[] }
  | { readonly kind: 'unknown'; readonly sentence: string };

/** Those of the teams that the person is a member of. */
export async function teamsOfPerson(
  call: RevisionTools & Omit<PatientCall, 'context'>,
  repository: Repository,
  asked: readonly string[],
  login: string,
): Promise<CountedTeams> {
  const { teams, name } = call.context.forge;
  if (asked.length === 0 || teams === undefined) return { kind: 'known', teams: [] };
  const ask = async (): Promise<CountedTeams> => {
    const isMember = await Promise.all(asked.map((team) => teams.isMember(repository, team, login)));
    return { kind: 'known', teams: asked.filter((_team, index) => isMember[index]) };
  };
  const sentence = `${name} could not be asked for the teams of @${login}: not now, try again`;
  return askPatiently(call, ask, { kind: 'unknown', sentence });
}
