/** Everything that the stack keeps, shows or counts, as texts. */
import type { GitHubStandIn } from '@nereid/github-stand-in';
import { runCommand } from '@nereid/subprocess';
import { textOf } from '@nereid/test-kit';
import { Client, Connection } from '@temporalio/client';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stack } from '../stack/stack.ts';

/** All files, core files too, as one text: what is long is stored in pieces. A file may be removed meanwhile. */
export async function textOfFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, 'latin1').catch(unlessGone)));
  return texts.join('');
}

function unlessGone(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}

/** The processes of the stack in this folder. */
export async function pidsOf(top: string): Promise<readonly string[]> {
  const pids = await allPids();
  const isOurs = async (pid: string) =>
    (await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')).includes(`NEREID_CONFIG=${top}`);
  const ours = await Promise.all(pids.map(isOurs));
  return pids.filter((_, index) => ours[index]);
}

/** Of everything that runs on this machine. */
export async function textOfProcesses(): Promise<string> {
  const pids = await allPids();
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')));
  return texts.join('\n');
}

/** All that the plan of a deployment holds. */
export async function textOfPlan({ folders, terraform }: Stack, deploymentId: string): Promise<string> {
  const folder = path.join(folders.work, deploymentId);
  const argv = [terraform, 'show', '-json', path.join(folder, 'plan')] as const;
  const { stdout } = await runCommand({ argv, env: {}, cwd: path.join(folder, 'repo/thief') });
  return stdout;
}

/** All events of all workflows, with what their payloads hold. */
export async function textOfHistories(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const texts: string[] = [];
  for await (const { workflowId, runId } of workflow.list()) {
    texts.push(textOf(await workflow.getHandle(workflowId, runId).fetchHistory()));
  }
  await connection.close();
  return texts.join('\n');
}

export function textOfGitHub(github: GitHubStandIn, repositories: readonly string[]): string {
  return JSON.stringify(
    repositories.map((repository) => {
      const comments = github.pullRequests(repository).flatMap(({ number }) => github.comments({ repository, number }));
      return [github.checkRuns(repository), comments];
    }),
  );
}

export async function textOfMetrics(urls: readonly string[]): Promise<string> {
  return (await Promise.all(urls.map(textOfPage))).join('\n');
}

async function textOfPage(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`expected the metrics of ${url}, found status ${response.status}`);
  return response.text();
}

async function allPids(): Promise<readonly string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}
