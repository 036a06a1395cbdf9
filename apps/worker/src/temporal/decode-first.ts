/** Reads the inputs and results of workflows and activities from a history. */
import { arrayFromPayloads, type LoadedDataConverter } from '@temporalio/common';

type Payloads = Parameters<typeof arrayFromPayloads>[1];

/** The first payload. The contract of the workflow or activity says which type it has. Our payloads have no codec. */
export function decodeFirst(
  { loadedDataConverter }: { readonly loadedDataConverter: Pick<LoadedDataConverter, 'payloadConverter'> },
  wrapped: { readonly payloads?: Payloads } | null | undefined,
): unknown {
  return arrayFromPayloads(loadedDataConverter.payloadConverter, wrapped?.payloads)[0];
}
