/** Who looks at a page or asks by the API, and what they may see. */
import type { Scope } from '@nereid/api';
import type { PersonProof, Repository, Sender } from '@nereid/contracts';
import type { Request } from 'express';

export interface Viewer {
  /** Undefined for somebody whom nobody knows, and who can only read. */
  readonly person: Sender | undefined;
  /** Everything but for tokens. */
  readonly scopes: readonly Scope[];
  /** Whether GitHub lets the person read the repository; the answer may be five minutes old. */
  canRead(repository: Pick<Repository, 'owner' | 'name'>): Promise<boolean>;
  /** What shows control who asks. Sealed for exactly this request. */
  proofFor(requestId: string, repository: Pick<Repository, 'owner' | 'name'>): Promise<PersonProof>;
}

export interface Viewers {
  /** Undefined for a request of nobody: a page leads to the login, and the API answers 401. */
  of(request: Request): Promise<Viewer | undefined>;
}
