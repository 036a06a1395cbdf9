/** The thread that reads large plans: it gets a path and posts the result of `readPlan`. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPlanHere } from './read-plan.ts';

parentPort?.postMessage(await readPlanHere(String(workerData)));
