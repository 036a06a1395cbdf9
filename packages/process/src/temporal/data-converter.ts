import { fileURLToPath } from 'node:url';
import type { SealingKeys } from '@nereid/config';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from '../payloads/payload-codec.ts';

const SEALED_FAILURES = fileURLToPath(new URL('sealed-failures.ts', import.meta.url));

/** For tools and tests where nothing is sealed: it opens nothing, and long payloads are compressed as ever. */
export const UNSEALED: DataConverter = dataConverterOf({ seals: undefined, opens: [] });

/** How clients and workers read and write payloads and failures. The sandbox of workflows has a converter of failures of its own. */
export function dataConverterOf(keys: SealingKeys): DataConverter {
  return {
    payloadCodecs: [createPayloadCodec(keys)],
    ...(keys.seals && { failureConverterPath: SEALED_FAILURES }),
  };
}
