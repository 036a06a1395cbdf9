/**
 * The fields of GitHub's payloads that we use, and no others.
 *
 * Every text is bounded, and every name has only characters that GitHub allows: names end up in workflow ids, paths and URLs.
 */
import type { Sender } from '@nereid/domain/intake';
import { LOGIN } from '@nereid/domain/person';
import type { Repository } from '@nereid/domain/root';
import { z } from 'zod';

export const Login = z.string().regex(LOGIN);

export const Sha = z.string().regex(/^[0-9a-f]{40}$/);

/** GitHub's numeric ids. */
export const Id = z.int().positive();

/** On common file systems, git refuses longer names of references. */
export const BranchName = z.string().min(1).max(255);

export const Person = z.object({ login: Login, id: Id });

const Name = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .refine((name) => name !== '.' && name !== '..');

export const RepositoryFields = z.object({ name: Name, owner: z.object({ login: Name }) });

/** The fields of every payload that we act on. */
export const Envelope = z.object({
  repository: RepositoryFields,
  installation: z.object({ id: Id }),
  sender: Person,
});

export const CheckRunFields = z.object({
  id: Id,
  name: z.string().max(255),
  head_sha: Sha,
  /** The external ids of our check runs are ids of deployments, or empty. */
  external_id: z.string().max(255).nullish(),
  conclusion: z.string().max(50).nullable(),
});

export function repositoryOf({ repository, installation }: z.infer<typeof Envelope>): Repository {
  return { owner: repository.owner.login, name: repository.name, installationId: installation.id };
}

export function senderOf({ login, id }: z.infer<typeof Person>): Required<Sender> {
  return { sender: login, senderId: id };
}

export type PayloadRead<T> =
  { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'invalid'; readonly problem: string };

/** Nobody reads more problems; the first ones show what kind of payload it is. */
const PROBLEM_LIMIT = 5;

/** The problem names the missing or wrong fields, never their content. */
export function readPayload<T>(schema: z.ZodType<T>, payload: unknown): PayloadRead<T> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const problems = parsed.error.issues.slice(0, PROBLEM_LIMIT).map(({ path, message }) => {
    return `${path.length === 0 ? 'the payload' : path.join('.')}: ${message}`;
  });
  return { kind: 'invalid', problem: problems.join('; ') };
}
