/** The thread that reads what repositories bring, one job after the other. The files that it has parsed stay with it. */
import { once } from 'node:events';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { discoverRoots } from '../discover-roots.ts';
import { findRoots } from '../find-roots.ts';
import { findTouching } from '../find-touching.ts';
import { inputsOfRoot } from '../inputs/inputs-of-root.ts';
import { createParsedFiles } from '../parsed-files.ts';
import type { ReadableTree } from '../repository-roots.ts';
import { withFirstProblems } from './first-problems.ts';
import type { FromThread, Job, JobResult, ToThread, WhichTree } from './messages.ts';

const port = requirePort();
const parsed = createParsedFiles();

for (;;) {
  const message = await next();
  if (message.kind === 'job') say(await perform(message.job));
}

async function perform(job: Job): Promise<FromThread> {
  try {
    return { kind: 'done', result: withFirstProblems(await resultOf(job)) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

async function resultOf(job: Job): Promise<JobResult> {
  const source = { tree: treeFromOutside('tree'), policy: job.policy, parsed };
  if (job.kind === 'find') return findRoots({ ...source, names: job.names });
  if (job.kind === 'touch') return findTouching({ ...source, rootName: job.rootName, changes: job.changes });
  if (job.kind === 'inputs') return { kind: 'inputs', inputs: await inputsOfRoot({ ...source, root: job.root }) };
  return discoverRoots({
    ...source,
    changed: job.changed,
    ...(job.hasBefore && { before: treeFromOutside('before') }),
  });
}

function treeFromOutside(of: WhichTree): ReadableTree {
  return {
    async listing() {
      const answer = await ask({ kind: 'list', of });
      return answer.kind === 'listing' ? answer.listing : fail(answer);
    },
    async contents(blobs) {
      const answer = await ask({ kind: 'read', of, blobs });
      return answer.kind === 'contents' ? answer.contents : fail(answer);
    },
  };
}

async function ask(question: FromThread): Promise<ToThread> {
  say(question);
  return next();
}

async function next(): Promise<ToThread> {
  const [message] = (await once(port, 'message')) as [ToThread];
  return message;
}

function say(message: FromThread): void {
  port.postMessage(message);
}

function requirePort(): MessagePort {
  if (parentPort) return parentPort;
  throw new Error('expected to be started as a thread, found no parent; use openDiscovery');
}

function fail(answer: ToThread): never {
  throw new Error(`expected what was asked for, found ${answer.kind}`);
}
