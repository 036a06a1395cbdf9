/** What `terraform state list` prints. Pure. */
import { NO_CHANGES, type PlanSummary } from '@nereid/domain/plan';
import { cut } from '../failure/failure.ts';
import { ADDRESS_LENGTH_LIMIT, RESOURCE_LIMIT } from '../plan/plan-summary.ts';

/** The managed resources, as those that a plan would forget: they stay, and nobody looks after them. */
export function listedResources(output: string): PlanSummary {
  const addresses = output.split('\n').filter((line) => line !== '' && !isDataSource(line));
  const resources = addresses
    .slice(0, RESOURCE_LIMIT)
    .map((address) => ({ address: cut(address, ADDRESS_LENGTH_LIMIT), action: 'forget' as const }));
  return {
    ...NO_CHANGES,
    forget: addresses.length,
    resources,
    omitted: addresses.length - resources.length,
  };
}

/** Like `data.x.y` and `module.a["b"].data.x.y`. No module is called in a way that its name could be taken for the word. */
function isDataSource(address: string): boolean {
  return DATA_SOURCE.test(address.replaceAll(INDEX, ''));
}

const DATA_SOURCE = /^(?:module\.[^.]+\.)*data\./;

/** Terraform escapes quotes in keys. */
const INDEX = /\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g;
