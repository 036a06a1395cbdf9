/** The only way into an envelope. */
import { aboutFieldsOf, type AboutOf, type BodyOf, type EnvelopeKind } from '@nereid/domain/envelope';
import type { Signed } from '@nereid/domain/signed';
import { canonicalOf } from '../payload.ts';
import { ForgedError, type Verifier } from '../verifier.ts';
import { frozen, Proven } from './proven.ts';

/** Of all bodies. */
const VERSION = 1;

/** Genuine, but of a later release, whose fields mean what nobody here knows. */
export class NewerVersionError extends Error {
  override readonly name = 'NewerVersionError';
  readonly code = 'NEWER_VERSION';

  constructor(kind: EnvelopeKind, found: unknown) {
    super(
      `expected the ${kind} to have the version ${VERSION}, found ${String(found)}; upgrade this process to the release of its sender`,
    );
  }
}

/**
 * Throws a `ForgedError`, unless one of the keys signed exactly this body as this kind, and it is about what `about` says; throws a
 * `NewerVersionError` when it was signed by a later release. It is verified as it came, before anybody reads it.
 */
export async function openEnvelope<Kind extends EnvelopeKind>(
  verifier: Verifier,
  kind: Kind,
  signed: Signed<BodyOf<Kind>> | undefined,
  about: AboutOf<Kind>,
): Promise<Proven<BodyOf<Kind>>> {
  // What came over the wire is not what the type promises.
  const { body, signature }: { readonly body?: unknown; readonly signature?: string } = signed ?? {};
  if (typeof body !== 'object' || body === null) throw new ForgedError(kind, 'no body');
  const verified = asSigned(kind, body) as BodyOf<Kind>; // The signer's word.
  await verifier.verify(kind, verified, signature);
  const { version }: { readonly version: unknown } = verified; // A newer signer may already be running.
  if (version !== VERSION) throw new NewerVersionError(kind, version);
  const other = otherField(kind, verified, about);
  if (other !== undefined) throw new ForgedError(kind, `one that is about another ${other}`);
  return new Proven<BodyOf<Kind>>(verified, signature ?? '');
}

/** Nobody can sign half a pair of surrogates, or what is nested so deeply that it overflows the stack. */
function asSigned(kind: EnvelopeKind, body: object): unknown {
  try {
    return frozen(JSON.parse(canonicalOf(body)) as unknown);
  } catch (cause) {
    throw new ForgedError(kind, 'a body that nobody can sign', { cause });
  }
}

/** The name of the first field that differs. */
function otherField(kind: EnvelopeKind, body: object, about: object): string | undefined {
  return aboutFieldsOf(kind).find(
    (field) => canonicalOf([fieldOf(body, field)]) !== canonicalOf([fieldOf(about, field)]),
  );
}

/** The number of an installation may be an older one; it does not say which repository it is. */
function fieldOf(subject: object, field: string): unknown {
  const value: unknown = (subject as Readonly<Record<string, unknown>>)[field];
  if (field !== 'repository' || typeof value !== 'object' || value === null) return value;
  const { owner, name } = value as { readonly owner?: unknown; readonly name?: unknown };
  return { owner, name };
}
