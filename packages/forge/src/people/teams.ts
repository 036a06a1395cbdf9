import type { Repository } from '@nereid/domain/root';

/** Team membership. Teams are named `org/slug`. */
export interface Teams {
  /** A person who has not accepted the invitation to a team is not a member. */
  isMember(repository: Repository, team: string, login: string): Promise<boolean>;
  /** Whether there is no such team: nobody can meet a rule that names it. */
  isMissing(repository: Repository, team: string): Promise<boolean>;
}
