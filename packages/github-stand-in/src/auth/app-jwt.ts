import { createPublicKey, type KeyObject } from 'node:crypto';
import { jwtVerify } from 'jose';

/** GitHub refuses an App's token that is valid for longer. */
const LONGEST_LIFE_S = 10 * 60;

/** Clocks differ. GitHub recommends `iat` 60 seconds in the past for the same reason. */
const CLOCK_TOLERANCE_S = 60;

type AppJwt = { readonly kind: 'valid' } | { readonly kind: 'refused'; readonly message: string };

/** Takes either half of the App's key pair, as PEM: a private key contains the public one. */
export function readPublicKey(pem: string): KeyObject {
  return createPublicKey(pem);
}

/** Whether the App itself signed this token, by GitHub's rules: RS256, `iss`, `iat`, `exp` ≤ 10 min. */
export async function verifyAppJwt(jwt: string, appId: number, publicKey: KeyObject): Promise<AppJwt> {
  try {
    const options = { algorithms: ['RS256'], clockTolerance: CLOCK_TOLERANCE_S, requiredClaims: ['iat', 'exp', 'iss'] };
    const { payload } = await jwtVerify(jwt, publicKey, options);
    const nowS = Date.now() / 1000;
    if (String(payload.iss) !== String(appId)) return refused("'Issuer' claim ('iss') must be the App's id");
    if ((payload.exp ?? 0) > nowS + LONGEST_LIFE_S + CLOCK_TOLERANCE_S) {
      return refused("'Expiration time' claim ('exp') is too far in the future");
    }
    if ((payload.iat ?? 0) > nowS + CLOCK_TOLERANCE_S) {
      return refused(
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      );
    }
    return { kind: 'valid' };
  } catch {
    return refused('A JSON web token could not be decoded');
  }
}

function refused(message: string): AppJwt {
  return { kind: 'refused', message };
}
