/** As whom a person counts among several who have to confirm a plan, and for which teams. It is found out at the press, and signed with it. */
import { placeOf, settingsFor, type RepositoryPolicy } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { asksSeveral, strictestReview } from '@nereid/domain/gates';
import type { Sender } from '@nereid/domain/intake';
import type { PlanReview } from '@nereid/domain/plan';
import type { Repository, Root } from '@nereid/domain/root';
import type { RevisionTools } from '../root/revision-tools.ts';
import { askPatiently, type PatientCall } from './ask-patiently.ts';

type CountCall = RevisionTools & Omit<PatientCall, 'context'>;

interface CountedAt {
  readonly repository: Repository;
  readonly policy: RepositoryPolicy;
  readonly root: Root;
}

interface Unknown {
  readonly kind: 'unknown';
  readonly sentence: string;
}

type Counted = { readonly kind: 'known'; readonly person: Pick<PlanReview, 'byId' | 'teams'> } | Unknown;

/** By the order of the deployment and by the server's file, which may have changed since: an answer has to meet both. */
export async function countPerson(
  call: CountCall,
  { repository, policy, root }: CountedAt,
  person: Sender,
): Promise<Counted> {
  const asked = strictestReview(root.review, settingsFor(policy, placeOf(root)).review);
  if (!asksSeveral(asked)) return { kind: 'known', person: defined({ byId: person.senderId }) };
  const known = await idOfPerson(call, repository, person);
  if (known.kind === 'unknown') return known;
  const counted = await teamsOfPerson(call, repository, asked.eachOf, person.sender);
  if (counted.kind === 'unknown') return counted;
  return { kind: 'known', person: { byId: known.id, ...(asked.eachOf.length > 0 && { teams: counted.teams }) } };
}

type KnownId = { readonly kind: 'known'; readonly id: number } | Unknown;

/** Who pressed elsewhere than on the forge is known by a login alone, which one person gives up and another one takes. */
async function idOfPerson(call: CountCall, repository: Repository, { sender, senderId }: Sender): Promise<KnownId> {
  if (senderId !== undefined) return { kind: 'known', id: senderId };
  const { people, name } = call.context.forge;
  const nobody = `several people have to confirm this plan, and ${name} knows nobody called @${sender}: log in again`;
  const ask = async (): Promise<KnownId> => {
    const id = await people.idOf(repository, sender);
    return id === undefined ? { kind: 'unknown', sentence: nobody } : { kind: 'known', id };
  };
  const sentence = `${name} could not be asked who @${sender} is: not now, try again`;
  return askPatiently(call, ask, { kind: 'unknown', sentence });
}

type CountedTeams = { readonly kind: 'known'; readonly teams: readonly string[] } | Unknown;

/** Those of the teams that the person is a member of. */
async function teamsOfPerson(
  call: CountCall,
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
