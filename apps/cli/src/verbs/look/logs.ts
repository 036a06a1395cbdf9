import { JOB_NAMES, type DeploymentDetail, type JobName } from '@nereid/api';
import { DEPLOYMENT, parseDeployment } from '../../arguments/deployment-argument.ts';
import { TIMEOUT } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Client } from '../../client/client.ts';
import { findDeployment, placeOf, type DeploymentPlace } from '../../client/find-deployment.ts';
import { EXIT, ExitError } from '../../exit-code.ts';
import { followDeployment } from '../../logs/follow-deployment.ts';
import { writeText } from '../../logs/write-text.ts';
import { cleanLines } from '../../output/clean-text.ts';
import type { Verb } from '../verb.ts';

export const logs: Verb = {
  name: 'logs',
  group: 'Look',
  summary: 'the log of a job: what Terraform prints',
  details: [
    'DEPLOYMENT is an id or its first 8 digits, the address of its page, or a lane: the deployment that runs there, waits first or ended last.',
    'Without a JOB, it is the last one that has begun; with --follow, all jobs until the deployment has ended. A lost connection is made again, and nothing is missed.',
  ],
  isRemote: true,
  arguments: [{ name: DEPLOYMENT }, { name: 'JOB', values: JOB_NAMES, isOptional: true }],
  options: [
    { name: 'follow', short: 'f', summary: 'go on until the log is complete, also when the console starts again' },
    { name: 'tail', summary: 'with --follow: begin near the end of a long log' },
    TIMEOUT,
  ],
  examples: [
    {
      command: 'nereid logs -f acme/infra/network',
      does: 'plan and apply of the deployment that runs there, as they go',
    },
    { command: 'nereid logs acme/infra/network plan > plan.txt', does: 'the whole log of the plan' },
  ],
  async run(call) {
    const client = call.client();
    const signal = call.within(undefined, 'the deployment goes on');
    const place = await placeOf(client, parseDeployment(call.given.argument(DEPLOYMENT)), { orLast: true });
    const [typed] = call.given.all('JOB');
    const job = JOB_NAMES.find((one) => one === typed);
    if (call.given.has('follow'))
      await followDeployment({ call, client, place, signal, isTail: call.given.has('tail') }, job);
    else
      await printLog(call, client, place, job ?? lastJob((await findDeployment(client, place, signal)).value), signal);
    return EXIT.done;
  },
};

function lastJob({ progress: { jobs, status } }: DeploymentDetail): JobName {
  const job = JOB_NAMES.findLast((name) => jobs[name] !== undefined);
  if (job === undefined) throw new ExitError(EXIT.notFound, `there is no log yet: the deployment is ${status}`);
  return job;
}

async function printLog(
  call: Call,
  client: Client,
  { parameters, query }: DeploymentPlace,
  job: JobName,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await client.open('getJobLog', { parameters: { ...parameters, job }, query }, { signal });
  if (body === null) return;
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    await printLines(call, lines, signal);
  }
  if (rest !== '') await printLines(call, [rest], signal);
}

async function printLines(call: Call, lines: readonly string[], signal: AbortSignal): Promise<void> {
  if (call.given.has('json')) for (const line of lines) call.json({ line });
  else if (lines.length > 0) await writeText(call.world.stdout, cleanLines(`${lines.join('\n')}\n`), signal);
}
