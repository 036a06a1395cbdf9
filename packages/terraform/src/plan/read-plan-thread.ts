/** The thread that reads large plans: gets a path, answers what `readPlan` answers. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPlanHere } from './read-plan.ts';

parentPort?.postMessage(await readPlanHere(String(workerData)));
