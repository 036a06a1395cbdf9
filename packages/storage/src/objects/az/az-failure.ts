import type { Cloud, Fault } from '../cloud-failure.ts';

/** Azure's codes of errors, and the names of those of its libraries. */
const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['ContainerNotFound', 'missing'],
  ['ContainerBeingDeleted', 'missing'],
  ['ContainerDisabled', 'denied'],
  ['AccountIsDisabled', 'denied'],
  ['AuthorizationFailure', 'denied'],
  ['AuthorizationPermissionMismatch', 'denied'],
  ['AuthorizationProtocolMismatch', 'denied'],
  ['AuthorizationSourceIPMismatch', 'denied'],
  ['InsufficientAccountPermissions', 'denied'],
  ['KeyBasedAuthenticationNotPermitted', 'denied'],
  ['PublicAccessNotPermitted', 'denied'],
  ['AuthenticationFailed', 'rejected'],
  ['AuthenticationError', 'rejected'],
  ['InvalidAuthenticationInfo', 'rejected'],
  ['NoAuthenticationInformation', 'no-credentials'],
  ['CredentialUnavailableError', 'no-credentials'],
  ['AggregateAuthenticationError', 'no-credentials'],
  ['ServerBusy', 'busy'],
  ['InternalError', 'busy'],
  ['OperationTimedOut', 'busy'],
  ['REQUEST_SEND_ERROR', 'broken-off'],
  ['PARSE_ERROR', 'broken-off'],
  // Of a stream whose connection is gone: a call that took too long has failed with a TimeoutError before.
  ['AbortError', 'broken-off'],
  ['HierarchicalNamespace', 'unfit'],
]);

export function azCloud(account: string, container: string): Cloud {
  return {
    place: `the container ${container} of the account ${account}`,
    credentials: 'an identity of the workload or the machine, or AZURE_STORAGE_KEY',
    address: 'storage.az.endpoint',
    faults: FAULTS,
    statusOf,
  };
}

/** Keys of such an account come in another order, and its folders look like objects. */
export class HierarchicalNamespaceError extends Error {
  override readonly name = 'HierarchicalNamespaceError';
  readonly code = 'HierarchicalNamespace';

  constructor() {
    super('the account has folders: its hierarchical namespace is enabled');
  }
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : 0;
}
