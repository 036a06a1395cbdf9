import type { ProtoFailure } from '@temporalio/common';
import { decodeFirst, type Converting } from './decode-first.ts';

/** The message of a failure in a history. If it is sealed: what its payload says, or why it cannot be opened. */
export async function failureMessage(options: Converting, failure: ProtoFailure): Promise<string | undefined> {
  const { encodedAttributes, message } = failure;
  if (!encodedAttributes) return message ?? undefined;
  try {
    // As the SDK's own converter writes it.
    const said = (await decodeFirst(options, { payloads: [encodedAttributes] })) as { readonly message?: string };
    return said.message;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
