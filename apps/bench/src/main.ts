/** `main.ts [discovery|deployments|pushes|many|presentation|writes|flood|isolation|pull-requests|confirmed|cancel|open-pull-requests|webhooks|idle-lanes|long-queue|fleet|past|people|large-plan|long-log|hosts|memory|doctor]…`: runs the named measurements, or all of them. */
import { benchCancel, type OfPhase } from './cancel.ts';
import { benchConfirmed } from './confirmed.ts';
import { benchDeployments } from './deployments.ts';
import type { OfEach } from './deployments/processes.ts';
import { benchDiscovery } from './discovery.ts';
import { benchFleet } from './fleet.ts';
import { benchFlood } from './flood.ts';
import { benchIdleLanes } from './idle-lanes.ts';
import { benchIsolation } from './isolation.ts';
import { benchLargePlan } from './large-plan/large-plan.ts';
import { benchLongLog } from './long-log.ts';
import { benchLongQueue } from './long-queue.ts';
import { benchMany } from './many.ts';
import { benchWrites } from './many/writes.ts';
import { benchOpenPullRequests } from './open-pull-requests.ts';
import { benchPast } from './past.ts';
import { benchPeople } from './people.ts';
import { benchPresentation } from './presentation.ts';
import { benchPullRequests } from './pull-requests.ts';
import { benchPushes } from './pushes.ts';
import { benchDoctor } from './sizes/doctor.ts';
import { benchHosts } from './sizes/hosts.ts';
import { benchMemory } from './sizes/memory.ts';
import type { Load } from './temporal/load.ts';
import { benchWebhooks } from './webhooks.ts';

const BENCHES = {
  async discovery(): Promise<readonly string[]> {
    const { discoveryMs, cloneMs, ratio, coldMs, modified, roots } = await benchDiscovery(process.env);
    return [
      `warm discovery, ${roots} roots, ${modified} modified: ${discoveryMs.toFixed(0)} ms (cold: ${coldMs.toFixed(0)} ms)`,
      `git clone --depth 5 of the same repository: ${cloneMs.toFixed(0)} ms`,
      `discovery is ${ratio.toFixed(1)} times faster`,
    ];
  },
  async deployments(): Promise<readonly string[]> {
    const { sizes, events, memory } = await benchDeployments(process.env);
    const lines = sizes.flatMap(({ roots, deployed, byHandMs, ratio, cpu, requests, commandsMs, commandsRatio }) => {
      const what = countRoots(roots);
      return [
        `${what}, merge to applied: ${deployed.shownMs.toFixed(0)} ms; Terraform by hand: ${byHandMs.toFixed(0)} ms; ${ratio.toFixed(2)} times as long`,
        `${what}, first check run: ${deployed.firstSignMs.toFixed(0)} ms, all of them: ${deployed.allSignsMs.toFixed(0)} ms`,
        `${what}, each deployment: ${listCpu(cpu)}, ${requests.toFixed(1)} requests to GitHub`,
        `${what}, its commands: ${commandsMs.toFixed(0)} ms of CPU, ${commandsRatio.toFixed(2)} times Terraform's by hand`,
      ];
    });
    return [
      ...lines,
      `events of history for each deployment: ${listEvents(events)}`,
      `memory after all of them, at rest: ${listMemory(memory)} MiB`,
    ];
  },
  async pushes(): Promise<readonly string[]> {
    const { pushes, ms, byHandMs, ratio } = await benchPushes(process.env);
    return [
      `${pushes} pushes to one root, first push to last applied: ${ms.toFixed(0)} ms; Terraform by hand: ${byHandMs.toFixed(0)} ms; ${ratio.toFixed(2)} times as long`,
    ];
  },
  async many(): Promise<readonly string[]> {
    const measured = await benchMany(process.env);
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    const perRoot = (counts: Readonly<Record<string, number>>, roots: number, digits: number) =>
      Object.entries(counts)
        .map(([name, count]) => `${name} ${(count / roots).toFixed(digits)}`)
        .join(', ');
    const mib = (taken: Readonly<Record<string, number>>) => perRoot(taken, 1, 0);
    return measured.flatMap(({ roots, firstAppliedMs, appliedMs, shownMs, rates, longestPauseMs, costs }) => [
      `${roots} roots of one merge: the first applied after ${seconds(firstAppliedMs)}, all after ${seconds(appliedMs)}, shown after ${seconds(shownMs)}`,
      `${roots} roots, applied a second in each quarter: ${rates.map((rate) => rate.toFixed(1)).join(', ')}; the longest pause: ${seconds(longestPauseMs)}`,
      `${roots} roots, ms of CPU each: ${perRoot(costs.cpuMs, roots, 0)}`,
      `${roots} roots, commands each: ${perRoot(costs.commands, roots, 2)}`,
      `${roots} roots, each: ${(costs.requests / roots).toFixed(1)} requests to GitHub, ${(costs.events / roots).toFixed(0)} events of history`,
      `${roots} roots, memory in MiB: ${mib(costs.memory.before)}; at most ${mib(costs.memory.most)}`,
    ]);
  },
  async presentation(): Promise<readonly string[]> {
    const measured = await benchPresentation(process.env);
    return measured.map(({ what, ms, requests, points, mostAtOnce }) => {
      const seconds = (ms / 1_000).toFixed(1);
      return `GitHub is back, ${what}: done after ${seconds} s, ${requests} requests, ${points} points, ${mostAtOnce} at once`;
    });
  },
  async writes(): Promise<readonly string[]> {
    const measured = await benchWrites(process.env);
    return measured.map(
      ({ what, roots, most, all, created, updated, others }) =>
        `${roots} roots of one merge, ${what}: ${all} writes to GitHub, at most ${most} promised; check runs created: ${created}, updated: ${updated}; others: ${listCounts(others)}`,
    );
  },
  async flood(): Promise<readonly string[]> {
    const { quiet, flooded, memory, sent } = await benchFlood(process.env);
    const parts = (['gateway', 'worker', 'console'] as const).map((part) => {
      const [before, most, after] = [memory.before[part], memory.most[part], memory.after[part]];
      return `${part} ${before.toFixed(0)}, at most ${most.toFixed(0)} (${(most / before).toFixed(2)} times), then ${after.toFixed(0)}`;
    });
    const times = (one: number, other: number) => `${(other / one).toFixed(2)} times as long`;
    return [
      `one root of somebody else, first check run: ${quiet.firstSignMs.toFixed(0)} ms; in the flood: ${flooded.firstSignMs.toFixed(0)} ms; ${times(quiet.firstSignMs, flooded.firstSignMs)}`,
      `one root of somebody else, merge to applied: ${quiet.appliedMs.toFixed(0)} ms; in the flood: ${flooded.appliedMs.toFixed(0)} ms; ${times(quiet.appliedMs, flooded.appliedMs)}`,
      `memory in MiB: ${parts.join('; ')}`,
      `the flood: ${sent.bodies} unfinished bodies, ${sent.silent} unfinished headers, ${sent.pages} pages of logs read; check runs that ended: ${sent.printed} of printed plans, ${sent.lookedThrough} of many roots and paths`,
    ];
  },
  async isolation(): Promise<readonly string[]> {
    const measured = await benchIsolation(process.env);
    const { sandboxedMs, bareMs, sandboxMs, bubblewrapMs, signed, verified, signMs, verifyMs, signaturesMs } = measured;
    return [
      `one root, merge to applied: ${sandboxedMs.toFixed(0)} ms in the sandbox, ${bareMs.toFixed(0)} ms without; between neighbours ${sandboxMs.toFixed(0)} ms`,
      `bubblewrap, each command: ${bubblewrapMs.toFixed(1)} ms`,
      `signatures of each deployment: ${signed.toFixed(1)} made, of ${signMs.toFixed(2)} ms, and ${verified.toFixed(1)} verified, of ${verifyMs.toFixed(2)} ms: ${signaturesMs.toFixed(1)} ms`,
      `sandbox and signatures of each deployment: ${(sandboxMs + signaturesMs).toFixed(0)} ms`,
    ];
  },
  async 'pull-requests'(): Promise<readonly string[]> {
    const { sizes, events } = await benchPullRequests(process.env);
    const lines = sizes.flatMap(({ roots, plannedMs, byHandMs, ratio, cpu, requests }) => [
      `${countRoots(roots)}, pull request to all plans: ${plannedMs.toFixed(0)} ms; Terraform by hand: ${byHandMs.toFixed(0)} ms; ${ratio.toFixed(2)} times as long`,
      `${countRoots(roots)}, each preview: ${listCpu(cpu)}, ${requests.toFixed(1)} requests to GitHub`,
    ]);
    return [...lines, `events of history for each preview: ${listEvents(events)}`];
  },
  async confirmed(): Promise<readonly string[]> {
    const { confirmedMs, freshMs, ratio } = await benchConfirmed(process.env);
    return [
      `one root, merge to applied: ${confirmedMs.toFixed(0)} ms with a plan that was confirmed before the merge; planned and confirmed after it: ${freshMs.toFixed(0)} ms; ${ratio.toFixed(2)} times as long`,
    ];
  },
  async cancel(): Promise<readonly string[]> {
    return Object.entries(await benchCancel(process.env)).map(
      ([phase, { sigintMs, slowestSigintMs, shownMs }]: [string, OfPhase]) =>
        `Cancel in the console, while the root's ${phase} runs: SIGINT after ${sigintMs.toFixed(0)} ms (at most ${slowestSigintMs.toFixed(0)}), its end is shown after ${shownMs.toFixed(0)} ms`,
    );
  },
  async fleet(): Promise<readonly string[]> {
    const { lanes, coldMs, warmMs, readMs, firstByteMs, pageKb, sentKb, requests, memory } = await benchFleet(
      process.env,
    );
    return [
      `${lanes} lanes, the page that lists them: ${coldMs.toFixed(0)} ms when they are new, ${warmMs.toFixed(0)} ms later; to read their records one after another: ${readMs.toFixed(0)} ms`,
      `that page: ${pageKb.toFixed(0)} KiB, ${sentKb.toFixed(0)} KiB on its way, its first byte after ${firstByteMs.toFixed(0)} ms`,
      `requests to storage within a minute: ${requests.unwatched} while nobody looks, ${requests.watched} while the page is open`,
      `the console: ${memory.before.toFixed(0)} MiB before, ${memory.after.toFixed(0)} MiB after`,
    ];
  },
  async webhooks(): Promise<readonly string[]> {
    const { bytes, starts, signals, taken, held, dropped, memory } = await benchWebhooks(process.env);
    const ratio = (load: Load) => `${(load.perSecond / starts.perSecond).toFixed(2)} times the starts`;
    return [
      `a Temporal server on PostgreSQL, without a gateway: ${listLoad(starts, 'starts')}; ${listLoad(signals, 'signals that start')}`,
      `webhooks of ${bytes} bytes that the gateway takes: ${listLoad(taken, 'webhooks')}, ${ratio(taken)}; held: ${listLoad(held, 'webhooks')}, ${ratio(held)}`,
      `webhooks that nobody needs: ${listLoad(dropped, 'dropped')}`,
      `the gateway: ${memory.rest.toFixed(0)} MiB at rest, ${memory.most.toFixed(0)} MiB at most, ${memory.after.toFixed(0)} MiB after`,
    ];
  },
  async 'idle-lanes'(): Promise<readonly string[]> {
    const { lanes, startedMs, memory, disk, historyEvents, historyBytes } = await benchIdleLanes(process.env);
    return [
      `${lanes} idle lanes, all started after ${(startedMs / 1_000).toFixed(1)} s, each with ${historyEvents} events and ${historyBytes} bytes of history`,
      `memory before them: ${listMemory(memory.before)} MiB; after: ${listMemory(memory.after)} MiB`,
      `PostgreSQL's files: ${disk.before.toFixed(0)} MiB before, ${disk.after.toFixed(0)} MiB after`,
    ];
  },
  async 'long-queue'(): Promise<readonly string[]> {
    const { waiting, queuedMs, alone, head, memory, ...sizes } = await benchLongQueue(process.env);
    return [
      `${waiting} pushes to one root wait after ${(queuedMs / 1_000).toFixed(1)} s; Confirm to the next plan: ${head.toFixed(0)} ms, and while one waits ${alone.toFixed(0)} ms; ${(head / alone).toFixed(2)} times as long`,
      `the lane: ${sizes.historyEvents} events and ${sizes.historyKib.toFixed(0)} KiB of history in its run, ${sizes.recordKib.toFixed(0)} KiB of record, ${sizes.viewKib.toFixed(0)} KiB of answer`,
      `the worker: ${memory.before.toFixed(0)} MiB before, ${memory.after.toFixed(0)} MiB while they wait`,
    ];
  },
  async 'large-plan'(): Promise<readonly string[]> {
    const { resources, pages } = await benchLargePlan(process.env);
    return pages.map(
      ({ what, firstMs, laterMs, kib, longestFrameMs, longTasks }) =>
        `a plan of ${resources} resources, ${what}: there after ${firstMs.toFixed(0)} ms, later ${laterMs.toFixed(0)} ms; ${kib.toFixed(0)} KiB; scrolled to its end, at most ${longestFrameMs.toFixed(0)} ms without a frame, ${longTasks} long tasks`,
    );
  },
  async 'long-log'(): Promise<readonly string[]> {
    const { shortMs, opened, grown, console } = await benchLongLog(process.env);
    const mib = ({ own, withShare }: { readonly own: number; readonly withShare: number }) =>
      `${own.toFixed(0)} MiB in the renderer, ${withShare.toFixed(0)} MiB with its share of the browser`;
    return [
      `a short log: its end is in sight after ${shortMs.toFixed(0)} ms`,
      ...opened.map(
        ({ what, ms, renderer }) =>
          `${what}: after ${ms.toFixed(0)} ms, ${(ms / shortMs).toFixed(2)} times as long; ${mib(renderer)}`,
      ),
      `100 MB that are printed while the page is open: in sight ${grown.behindMs.toFixed(0)} ms after the last of it; ${mib(grown.renderer)}`,
      `the console: ${console.before.toFixed(0)} MiB before, ${console.most.toFixed(0)} MiB at most`,
    ];
  },
  async past(): Promise<readonly string[]> {
    const { deployments, pages, memory } = await benchPast(process.env);
    return [
      ...pages.map(
        ({ path, coldMs, warmMs, firstByteMs, kb }) =>
          `${deployments} ended deployments, ${path}: ${coldMs.toFixed(0)} ms the first time (first byte ${firstByteMs.toFixed(0)} ms), ${warmMs.toFixed(0)} ms later, ${(coldMs / warmMs).toFixed(0)} times faster; ${kb.toFixed(0)} KiB`,
      ),
      `the console: ${memory.before.toFixed(0)} MiB before, ${memory.after.toFixed(0)} MiB after`,
    ];
  },
  async people(): Promise<readonly string[]> {
    const { people, roots, cpuMs, ms, memory, asked, delay } = await benchPeople(process.env);
    return [
      `${people} people follow ${roots} roots of one merge: the console takes ${(cpuMs / 1_000).toFixed(1)} s of CPU in ${(ms / 1_000).toFixed(1)} s, and ${memory.most.toFixed(0)} MiB at most (${memory.before.toFixed(0)} before)`,
      `their pages asked ${asked} times for their state; an apply is told of ${delay.medianMs.toFixed(0)} ms after its state was written, at most ${delay.mostMs.toFixed(0)} ms`,
    ];
  },
  async 'open-pull-requests'(): Promise<readonly string[]> {
    const { pullRequests, openedMs, appliedMs, shownMs, upToDateMs, plans, requests } = await benchOpenPullRequests(
      process.env,
    );
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    return [
      `${pullRequests} pull requests on one root: all planned ${seconds(openedMs)} after the first was opened`,
      `a merge to that root: applied after ${seconds(appliedMs)}, shown after ${seconds(shownMs)}, all up to date after ${seconds(upToDateMs)}, with ${plans} plans and ${requests} requests to GitHub`,
    ];
  },
  async hosts(): Promise<readonly string[]> {
    const { roots, slots, waits, counts } = await benchHosts(process.env);
    return counts.map(
      ({ hosts, aMinute, ratio, busy }) =>
        `${roots} roots that wait ${waits} s to plan and ${waits} s to apply, hosts with ${slots} slots: ${hosts}; deployments a minute: ${aMinute.toFixed(0)}; ${ratio.toFixed(2)} times as many; cores at work: ${(100 * busy).toFixed(0)} %`,
    );
  },
  async memory(): Promise<readonly string[]> {
    const { roots, kinds } = await benchMemory(process.env);
    return Object.entries(kinds).map(([kind, { atRest, most, after, cpuS }]) => {
      const heaps = (taken: typeof atRest) => `${taken.heap.toFixed(0)} + ${taken.threads.toFixed(0)} of heap`;
      const parts = `${atRest.files.toFixed(0)} of files, ${heaps(atRest)}, ${atRest.buffers.toFixed(0)} of buffers`;
      return `memory in MiB, ${kind}: ${atRest.all.toFixed(0)} at rest (${parts}); with ${roots} roots of one merge at most ${most.toFixed(0)}, afterwards ${after.all.toFixed(0)} (${heaps(after)}), ${cpuS.toFixed(1)} s of CPU`;
    });
  },
  async doctor(): Promise<readonly string[]> {
    const { nodeMs, doctors } = await benchDoctor(process.env);
    return [
      `Node that does nothing: ${nodeMs.toFixed(0)} ms`,
      ...doctors.map(
        ({ what, ms, checksMs, failed }) =>
          `${what === 'nereid doctor' ? what : `the doctor of ${what}`}: ${ms.toFixed(0)} ms, its checks alone: ${checksMs.toFixed(0)} ms; failed: ${failed.join(', ') || 'none'}`,
      ),
    ];
  },
} as const;

function countRoots(roots: number): string {
  return roots === 1 ? 'one root' : `${roots} roots`;
}

function listLoad({ perSecond, p99Ms }: Load, what: string): string {
  return `${perSecond.toFixed(0)} ${what} a second (p99 ${p99Ms.toFixed(0)} ms)`;
}

function listMemory(memory: Readonly<Record<string, number>>): string {
  return Object.entries(memory)
    .map(([program, mib]) => `${program} ${mib.toFixed(0)}`)
    .join(', ');
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function listCpu(cpu: OfEach): string {
  const parts = Object.entries(cpu).map(([part, ms]) => `${part} ${ms.toFixed(0)}`);
  const all = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  return `${all.toFixed(0)} ms of CPU without Terraform's (${parts.join(', ')})`;
}

function listEvents(events: Readonly<Record<string, number>>): string {
  const all = Object.values(events).reduce((sum, count) => sum + count, 0);
  const types = Object.entries(events).map(([type, count]) => `${type} ${count.toFixed(1)}`);
  return `${all.toFixed(0)} (${types.join(', ')})`;
}

type Name = keyof typeof BENCHES;

const wanted = process.argv.slice(2);
const names = Object.keys(BENCHES).filter((name): name is Name => wanted.length === 0 || wanted.includes(name));
if (names.length < wanted.length) {
  process.stderr.write(`expected names of ${Object.keys(BENCHES).join(', ')}, found ${wanted.join(' ')}\n`);
  process.exit(2);
}
for (const name of names) for (const line of await BENCHES[name]()) console.log(line);
