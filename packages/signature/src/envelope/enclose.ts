import type { BodyOf, EnvelopeKind } from '@nereid/domain/envelope';
import type { Signed } from '@nereid/domain/signed';
import type { Signer } from '../signer.ts';

/** Signs a body as this kind, and returns both in an envelope. */
export async function encloseBody<Kind extends EnvelopeKind>(
  signer: Signer,
  kind: Kind,
  body: BodyOf<Kind>,
): Promise<Signed<BodyOf<Kind>>> {
  return { body, signature: await signer.sign(kind, body) };
}
