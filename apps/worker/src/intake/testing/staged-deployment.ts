/** The terraform workflow of a deployment on which nobody works: it keeps what it is told in its history. */
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

export class StagedDeployment {
  readonly handle: WorkflowHandle;

  constructor(handle: WorkflowHandle) {
    this.handle = handle;
  }

  get id(): string {
    return this.handle.workflowId;
  }

  /** The signals that it was sent, each with its message. */
  async signals(): Promise<readonly (readonly [name: string, message: unknown])[]> {
    const { events } = await this.handle.fetchHistory();
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
      const [payload] = signal?.input?.payloads ?? [];
      return payload ? [[signal?.signalName ?? '', defaultPayloadConverter.fromPayload(payload)] as const] : [];
    });
  }

  /** Returns once its lane has asked it to end. */
  async hearsOfCancellation(): Promise<void> {
    const deadline = Date.now() + SO_WITHIN_MS;
    while (!(await this.isAskedToEnd())) {
      if (Date.now() > deadline) throw new Error(`expected that ${this.id} is asked to end, found that it is not`);
    }
  }

  async isAskedToEnd(): Promise<boolean> {
    const { events } = await this.handle.fetchHistory();
    return (events ?? []).some((event) => event.workflowExecutionCancelRequestedEventAttributes);
  }
}

/** A lane asks once it has found the deployment, which does not answer here. Only a hanging lane takes minutes. */
const SO_WITHIN_MS = 120_000;
