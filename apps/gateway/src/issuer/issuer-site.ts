import { issuerDocuments, type IssuerDocument } from '@nereid/signature';
import type { IssuerConfig } from './issuer-config.ts';

/** The documents that the gateway serves below the URL of an issuer. */
export interface IssuerSite {
  /** Of that URL; `/` when it has none. */
  readonly path: string;
  readonly documents: readonly IssuerDocument[];
}

export async function openIssuerSite({ url, publicKeys }: IssuerConfig): Promise<IssuerSite> {
  return { path: new URL(url).pathname, documents: await issuerDocuments(url, publicKeys) };
}
