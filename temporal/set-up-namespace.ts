/** Creates the namespace and the search attributes that are not there yet, and sets the retention. */
import { SEARCH_ATTRIBUTE } from '@nereid/domain/temporal-names';
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
const SECONDS_OF_DAY = 86_400;

/** Returns what it did, a line each. Throws the error of a call, or one that says which attribute has another type. */
export async function setUpNamespace(connection: Connection, wanted: NamespaceSetUp): Promise<readonly string[]> {
  return [
    await register(connection, wanted),
    await setRetention(connection, wanted),
    await addMissingSearchAttributes(connection, wanted.namespace),
  ];
}

async function register(
  { workflowService }: Connection,
  { namespace, retentionDays }: NamespaceSetUp,
): Promise<string> {
  try {
    const workflowExecutionRetentionPeriod = msToTs(`${retentionDays} days`);
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    return `namespace ${namespace}: made`;
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code !== ALREADY_EXISTS) throw error;
    return `namespace ${namespace}: left as it was`;
  }
}

async function setRetention(
  { workflowService }: Connection,
  { namespace, retentionDays }: NamespaceSetUp,
): Promise<string> {
  const { config } = await workflowService.describeNamespace({ namespace });
  const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / SECONDS_OF_DAY;
  if (days === retentionDays) return `retention: ${retentionDays} days, left as it was`;
  const workflowExecutionRetentionTtl = msToTs(`${retentionDays} days`);
  await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
  return `retention: set to ${retentionDays} days, from ${days}`;
}

async function addMissingSearchAttributes({ operatorService }: Connection, namespace: string): Promise<string> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const names = Object.values(SEARCH_ATTRIBUTE);
  const other = names.find((name) => (customAttributes[name] ?? KEYWORD) !== KEYWORD);
  if (other !== undefined)
    throw new Error(
      `expected the search attribute ${other} of ${namespace} to be a Keyword, found another type; remove it, then run this again`,
    );
  const missing = names.filter((name) => !(name in customAttributes));
  if (missing.length === 0) return `search attributes ${names.join(', ')}: left as they were`;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
  return `search attributes ${missing.join(', ')}: made`;
}
