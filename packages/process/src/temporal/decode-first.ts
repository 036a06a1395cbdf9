/** Reads the inputs and results of workflows and activities from a history. */
import { arrayFromPayloads, type LoadedDataConverter } from '@temporalio/common';

type Payloads = Parameters<typeof arrayFromPayloads>[1];

/** The options of a client. */
export interface Converting {
  readonly loadedDataConverter: Pick<LoadedDataConverter, 'payloadConverter' | 'payloadCodecs'>;
}

/** The first payload. The contract of the workflow or activity says which type it has. */
export async function decodeFirst(
  { loadedDataConverter }: Converting,
  wrapped: { readonly payloads?: Payloads } | null | undefined,
): Promise<unknown> {
  const { payloadConverter, payloadCodecs } = loadedDataConverter;
  let payloads = wrapped?.payloads?.slice(0, 1) ?? [];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  return arrayFromPayloads(payloadConverter, payloads)[0];
}
