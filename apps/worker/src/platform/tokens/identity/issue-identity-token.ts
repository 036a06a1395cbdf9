/**
 * Makes the tokens by which clouds know jobs. Who asks says which job it is, and is believed in nothing: what stands in a token is
 * what intake ordered, what control gave permission for, who approved that, and what the server's file says of the root's
 * directory.
 */
import { identityFor, placeOf, type IdentitySettings, type ServerConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { Go, Order } from '@nereid/domain/deployment';
import { fullName, type Repository } from '@nereid/domain/root';
import { phaseOf, type ApplyPermission, type IdentityTokenRequest, type Phase } from '@nereid/domain/tokens';
import type { IssuedToken, Issuer, Proven } from '@nereid/signature';
import type { Logger } from 'pino';
import { GoExpiredError } from '../../failures/go-expired.ts';
import { deploysNothing, openOrdered, type OrderedContext } from '../open-ordered.ts';

export interface IssueContext extends OrderedContext {
  readonly server: { current(): ServerConfig };
  readonly logger: Pick<Logger, 'info'>;
  /** Undefined without a key. */
  readonly issuer: Issuer | undefined;
}

/** Another attempt cannot help: hosts and control workers have different files, or there is none for this root. */
class NoIdentityError extends Error {
  override readonly name = 'NoIdentityError';
  readonly code = 'NO_IDENTITY';

  constructor({ name, dir }: Order['root']) {
    super(
      `expected an identity for the root ${name} in ${dir} in the server's file of the control workers, found none; give hosts and control workers the same file`,
    );
  }
}

class NoIdentityKeyError extends Error {
  override readonly name = 'NoIdentityKeyError';
  readonly code = 'NO_IDENTITY_KEY';

  constructor() {
    super(
      'expected IDENTITY_KEY and IDENTITY_ISSUER at the control workers, because the server gives an identity to this root, found nothing; set both, and restart the workers',
    );
  }
}

/** Beside the time of the job itself: to fetch a large repository before it, and to stop or to keep the plan after it. */
const AROUND_MS = 30 * 60_000;

export interface IssuedIdentityToken {
  readonly order: Proven<Order>;
  readonly phase: Phase;
  /** Absent for a plan. */
  readonly go?: Proven<Go>;
  readonly token: IssuedToken;
}

/** Throws a `ForgedError`, a `DeploymentEndedError`, a `GoExpiredError`, a `NoIdentityError` or a `NoIdentityKeyError`. */
export async function issueIdentityToken(
  context: IssueContext,
  request: IdentityTokenRequest,
): Promise<IssuedIdentityToken> {
  const { apply } = request;
  const order = await openOrdered(context, request);
  const go = apply && (await openPermission(context, order, apply));
  const { id, repository, root } = order.body;
  const { audience } = settingsOf(context, order.body);
  if (context.issuer === undefined) throw new NoIdentityKeyError();
  const phase = phaseOf(apply);
  const token = await context.issuer.issue({
    subject: subjectOf(repository, root.name, phase),
    audience,
    lifeMs: root.timeoutMs[phase] + AROUND_MS,
    claims: claimsOf(order.body, { phase, confirmedBy: apply?.review?.body.by }),
  });
  const fields = { deployment: id, repository: fullName(repository), root: root.name, phase, audience };
  context.logger.info(fields, 'a job gets a token of its identity');
  return { order, phase, ...(go && { go }), token };
}

/** Nobody has a token of an apply who has no permission for it. */
async function openPermission(
  { signatures }: Pick<IssueContext, 'signatures'>,
  { body: order, signature }: Proven<Order>,
  { go: signed, review }: ApplyPermission,
): Promise<Proven<Go>> {
  const { id: deploymentId, trigger } = order;
  if (trigger === 'preview' || deploysNothing(order))
    throw signatures.forged('go/apply', 'one for an order that is never applied', deploymentId);
  const go = await signatures.open('go/apply', signed, { deploymentId, order: signature });
  const { isEmpty, expiresAt, digest } = go.body;
  if (isEmpty) throw signatures.forged('go/apply', 'one for an apply that runs nothing', deploymentId);
  if (Date.now() > Date.parse(expiresAt)) throw new GoExpiredError(expiresAt);
  if (go.body.review !== review?.signature)
    throw signatures.forged('go/apply', 'one for another approval', deploymentId);
  if (review === undefined) return go;
  const { body } = await signatures.open('decision/review', review, { deploymentId });
  if (body.digest !== digest || body.answer !== 'approved')
    throw signatures.forged('decision/review', 'one of another plan', deploymentId);
  return go;
}

function settingsOf({ server }: IssueContext, { repository, root }: Order): IdentitySettings {
  const { identity } = identityFor(server.current(), fullName(repository), placeOf(root));
  if (identity === undefined) throw new NoIdentityError(root);
  return identity;
}

/** The characters that GitHub allows in a repository, and we in the name of a root: none of them divides parts of a subject. */
const PART = /^[\w.-]{1,100}$/;

/** `repository:acme/infra:root:prod-network:phase:apply`. */
export function subjectOf({ owner, name }: Pick<Repository, 'owner' | 'name'>, rootName: string, phase: Phase): string {
  const odd = [owner, name, rootName].find((part) => !PART.test(part));
  if (odd !== undefined)
    throw new Error(`expected a name of letters, digits, ".", "_" and "-", found ${JSON.stringify(odd)}`);
  return `repository:${owner}/${name}:root:${rootName}:phase:${phase}`;
}

function claimsOf(
  { id, repository, root, revision, trigger }: Order,
  { phase, confirmedBy }: { readonly phase: Phase; readonly confirmedBy: string | undefined },
): Readonly<Record<string, string>> {
  return {
    repository: fullName(repository),
    root: root.name,
    phase,
    directory: root.realDir ?? root.dir,
    workspace: root.workspace,
    branch: revision.branch,
    revision: revision.sha,
    trigger,
    deployment: id,
    ...defined({ confirmed_by: confirmedBy }),
  };
}
