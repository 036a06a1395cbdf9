/** What a history says that a workflow or an activity was given or answered. */
import type { LoadedDataConverter } from '@temporalio/common';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';

type Payloads = Parameters<typeof decodeArrayFromPayloads>[1];

/** The first of them. Which type it has is the contract of whoever wrote it. */
export async function decodeFirst(
  { loadedDataConverter }: { readonly loadedDataConverter: LoadedDataConverter },
  wrapped: { readonly payloads?: Payloads } | null | undefined,
): Promise<unknown> {
  const [first] = await decodeArrayFromPayloads(loadedDataConverter, wrapped?.payloads);
  return first;
}
