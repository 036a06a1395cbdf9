/** Temporal's SDK loads this file by its path, in every process that seals: messages and stacks of failures become payloads too. */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
