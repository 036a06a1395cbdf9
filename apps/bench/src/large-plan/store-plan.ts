/** A deployment whose plan has many resources, with the texts of that plan as a host would have stored them. */
import { randomUUID } from 'node:crypto';
import { NO_CHANGES, type PlanText } from '@nereid/domain/plan';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { createJobLogs, planTextDigest, type ObjectStore } from '@nereid/storage';
import { storeDeployment } from '../long-log/stored-job.ts';

const AT = '2026-11-22T12:00:00.000Z';

/** A usual resource has so many. */
const ATTRIBUTES = 12;
const MODULES = 20;

/** Every tenth is replaced, and has a long value that differs. Returns the path of its page. */
export async function storePlan(store: ObjectStore, count: number): Promise<string> {
  const short: PlanText = { text: '', leftOut: count, isShortened: true };
  const text = Array.from({ length: count }, (_, index) => resource(index)).join('\n\n');
  const whole: PlanText = { text, leftOut: 0, isShortened: false };
  const job = randomUUID();
  const { planTexts, wholePlanTexts } = createJobLogs(store).of(DEFAULT_POOL);
  await planTexts.write(job, short);
  await wholePlanTexts.write(job, whole);
  const replace = Math.ceil(count / 10);
  const body = {
    ...({ version: 1, deploymentId: randomUUID(), order: 'o', digest: 'd'.repeat(64), hasChanges: true } as const),
    summary: { ...NO_CHANGES, replace, create: count - replace, resources: [], omitted: count },
    textDigest: planTextDigest(short),
    wholeTextDigest: planTextDigest(whole),
  };
  const path = await storeDeployment(store, 'large-plan', {
    ...{ status: 'rejected', times: {}, jobs: { plan: { id: job, startedAt: AT } } },
    plan: { made: { body, signature: 's' }, reviewRequired: true },
  });
  return path.replace('?', '/plan?');
}

function resource(index: number): string {
  const address = `module.m${index % MODULES}.aws_instance.web[${index}]`;
  const attributes = Array.from({ length: ATTRIBUTES }, (_, at) => `      + attribute_${at} = "${'v'.repeat(20)}"`);
  const isReplaced = index % 10 === 0;
  const tags = (port: number) => Array.from({ length: 20 }, (_, at) => `service-${at}:${port + at}`).join(',');
  return [
    `  # ${address} ${isReplaced ? 'must be replaced' : 'will be created'}`,
    `${isReplaced ? '-/+' : '  +'} resource "aws_instance" "web" {`,
    ...(isReplaced ? [`      ~ services = "${tags(8_000)}" -> "${tags(8_001)}" # forces replacement`] : attributes),
    '    }',
  ].join('\n');
}
