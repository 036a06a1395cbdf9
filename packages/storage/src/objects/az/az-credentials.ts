import type * as Identity from '@azure/identity';
import { StorageSharedKeyCredential } from '@azure/storage-blob';
import type { AzOptions } from '../object-store.ts';

/**
 * The account's key, or tokens of Microsoft Entra ID: of the service principal in the environment, of the workload, or of the
 * machine. Azure's default chain would go on with the tools of developers, which it starts through a shell.
 */
export async function azCredential(
  account: string,
  { accountKey, clientId }: AzOptions,
): Promise<StorageSharedKeyCredential | Identity.TokenCredential> {
  if (accountKey) return new StorageSharedKeyCredential(account, accountKey.reveal());
  const identity = await import('@azure/identity');
  const makers = [
    () => new identity.EnvironmentCredential(),
    () => new identity.WorkloadIdentityCredential(),
    () => new identity.ManagedIdentityCredential(clientId === undefined ? {} : { clientId }),
  ];
  return new identity.ChainedTokenCredential(...makers.flatMap((make) => orNone(make, identity)));
}

/** The workload's throws at once where the environment says nothing of a workload. */
function orNone(
  make: () => Identity.TokenCredential,
  { CredentialUnavailableError }: Pick<typeof Identity, 'CredentialUnavailableError'>,
): readonly Identity.TokenCredential[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof CredentialUnavailableError) return [];
    throw error;
  }
}
