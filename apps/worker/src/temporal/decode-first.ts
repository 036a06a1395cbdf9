/** What a history says that a workflow or an activity was given or answered. */
import { arrayFromPayloads, type LoadedDataConverter } from '@temporalio/common';

type Payloads = Parameters<typeof arrayFromPayloads>[1];

/** The first of them. Which type it has is the contract of whoever wrote it. Our data have no codec. */
export function decodeFirst(
  { loadedDataConverter }: { readonly loadedDataConverter: Pick<LoadedDataConverter, 'payloadConverter'> },
  wrapped: { readonly payloads?: Payloads } | null | undefined,
): unknown {
  return arrayFromPayloads(loadedDataConverter.payloadConverter, wrapped?.payloads)[0];
}
