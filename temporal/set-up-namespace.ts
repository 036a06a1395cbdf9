/**
 * Creates the namespace and the search attributes that Nereid needs in a Temporal server.
 *
 * Idempotent: a namespace and attributes that exist are left alone, except that the retention is set to the requested one.
 */
import { SEARCH_ATTRIBUTE } from '@nereid/contracts';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

export interface NamespaceSetUp {
  readonly namespace: string;
  /** How long closed workflows can be seen. */
  readonly retentionDays: number;
}

/** `IndexedValueType.KEYWORD` of temporal/api/enums/v1/common.proto. */
const KEYWORD = 2;
/** `Code.ALREADY_EXISTS` of gRPC. */
const ALREADY_EXISTS = 6;

export async function setUpNamespace(
  connection: Connection,
  { namespace, retentionDays }: NamespaceSetUp,
): Promise<void> {
  const workflowExecutionRetentionTtl = msToTs(`${retentionDays} days`);
  await register(connection, namespace, retentionDays);
  await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
  await addMissingSearchAttributes(connection, namespace);
}

async function register(connection: Connection, namespace: string, retentionDays: number): Promise<void> {
  try {
    const workflowExecutionRetentionPeriod = msToTs(`${retentionDays} days`);
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code !== ALREADY_EXISTS) throw error;
  }
}

async function addMissingSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTE).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
