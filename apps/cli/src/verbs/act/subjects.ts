/** How a person names what an action is about, and what the console is asked for it. */
import type { RequestAnswer } from '@nereid/api';
import { ACTIONS, type ConsoleAction, type ConsoleUse, type Subject } from '@nereid/domain/actions';
import { DEPLOYMENT, DEPLOYMENT_DETAILS, parseDeployment } from '../../arguments/deployment-argument.ts';
import { findCommit } from '../../clone/find-commit.ts';
import { findLane, LANE_DETAILS } from '../../clone/find-lane.ts';
import { parsePull, parseRepository } from '../../arguments/names.ts';
import type { Given } from '../../arguments/parse-arguments.ts';
import type { Argument, Option } from '../../arguments/verb-description.ts';
import type { Call } from '../../call.ts';
import type { Answer, Client, Place } from '../../client/client.ts';
import { findDeployment, laneOf, placeOf } from '../../client/find-deployment.ts';
import { hostId } from '../../client/find-host.ts';
import { EXIT, ExitError, type ExitCode } from '../../exit-code.ts';
import { agree } from './agree.ts';
import { findPlan, PLAN_OPTIONS } from './answer-plan.ts';
import { POOL, POOL_OPTIONS } from './pool-subject.ts';
import { waitForOrdered, type Waiting } from './wait-for-ordered.ts';

export interface Asked {
  readonly action: ConsoleAction;
  readonly place: Place & { readonly body: object };
  /** What goes on around the request. */
  readonly around?: (send: Send) => Promise<Answer<RequestAnswer>>;
  /** For an action that `waits`. */
  waitForEnd(waiting: Waiting, answer: RequestAnswer): Promise<ExitCode>;
}

export type Send = () => Promise<Answer<RequestAnswer>>;

export interface SubjectOfVerb {
  /** Of several subjects of a verb, whether this one is meant. The others are named by arguments. */
  readonly isNamed?: (given: Given) => boolean;
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly details: readonly string[];
  /** `actions` are those of the verb; the one that is asked for is among them. */
  find(call: Call, client: Client, actions: readonly ConsoleAction[]): Promise<Asked>;
}

const PLAN: SubjectOfVerb = {
  arguments: [{ name: DEPLOYMENT, joint: '/' }],
  options: PLAN_OPTIONS,
  details: [DEPLOYMENT_DETAILS, 'It shows the plan, and asks.'],
  find: findPlan,
};

export const SUBJECTS: Readonly<Record<Subject, SubjectOfVerb>> = {
  plan: PLAN,
  preview: PLAN,
  deployment: {
    arguments: [{ name: DEPLOYMENT, joint: '/' }],
    options: [],
    details: [DEPLOYMENT_DETAILS],
    async find(call, client, [action = 'cancel']) {
      const { waits = false, isOfEnded = false }: ConsoleUse = ACTIONS[action].console;
      const named = parseDeployment(call.given.argument(DEPLOYMENT));
      const place = await placeOf(client, named, { orLast: isOfEnded });
      // A token that may only cancel reads nothing.
      if (!waits)
        return {
          action,
          place: { ...place, query: { lane: place.query.lane }, body: reasonOf(call, action) },
          waitForEnd: waitsForNothing,
        };
      const found = (await findDeployment(client, place)).value;
      const { owner, name } = found.lane;
      return {
        action,
        place: { parameters: place.parameters, query: { lane: laneOf(found) }, body: {} },
        waitForEnd: (waiting, answer) => waitForOrdered(waiting, `${owner}/${name}`, answer, 1),
      };
    },
  },
  lane: {
    arguments: [{ name: 'OWNER/NAME/ROOT', joint: '/' }],
    options: [{ name: 'yes', short: 'y', summary: 'do not ask' }],
    details: [LANE_DETAILS],
    async find(call, client, [action = 'unlock']) {
      const parameters = { ...(await findLane(call.world, call.given.argument('OWNER/NAME/ROOT'))) };
      const { body, question = 'Go on?' }: ConsoleUse = ACTIONS[action].console;
      const locks = Object.entries(body).filter(([, kind]) => kind === 'lock');
      const [[field] = []] = locks;
      const lock = field === undefined ? {} : { [field]: await shownLock(call, client, parameters) };
      await agree(call, question, '--yes does it without');
      return { action, place: { parameters, body: lock }, waitForEnd: waitsForNothing };
    },
  },
  'pull-request': {
    arguments: [{ name: 'PULL', joint: '#' }],
    options: [],
    details: ['PULL is a pull request like acme/infra#12, or its address.'],
    find(call, _client, [action = 'plan']) {
      const parameters = { ...parsePull(call.given.argument('PULL')) };
      const body = { roots: [...call.given.all('ROOT')] };
      return Promise.resolve({ action, place: { parameters, body }, waitForEnd: waitsForNothing });
    },
  },
  repository: {
    arguments: [{ name: 'OWNER/NAME', unless: POOL_OPTIONS }],
    options: [],
    details: [],
    async find(call, client, [action = 'deploy']) {
      const repository = call.given.argument('OWNER/NAME');
      const parameters = { ...parseRepository(repository) };
      if (action === 'stop' || action === 'thaw')
        return { action, place: { parameters, body: stopOf(call, action) }, waitForEnd: waitsForNothing };
      const commit = call.given.argument('COMMIT');
      if (action === 'skip_soak') {
        const revision = await findCommit(call, client, repository, commit);
        return { action, place: { parameters, body: { revision, ...waveOf(call) } }, waitForEnd: waitsForNothing };
      }
      const roots = [...call.given.all('ROOT')];
      const body = { revision: await findCommit(call, client, repository, commit), roots };
      return {
        action,
        place: { parameters, body },
        waitForEnd: (waiting, answer) => waitForOrdered(waiting, repository, answer, roots.length),
      };
    },
  },
  destination: {
    arguments: [{ name: 'NAME' }],
    options: [],
    details: ["NAME is the name of a destination in notifications of the server's file. Only operators may."],
    find(call, _client, [action = 'send_again']) {
      const parameters = { name: call.given.argument('NAME') };
      return Promise.resolve({ action, place: { parameters, body: {} }, waitForEnd: waitsForNothing });
    },
  },
  pool: POOL,
  host: {
    arguments: [{ name: 'HOST' }],
    options: [],
    details: ['HOST is the id of a host, or the beginning of one. Only operators may.'],
    async find(call, client, [action = 'drain']) {
      const id = await hostId(client, call.given.argument('HOST'));
      return { action, place: { parameters: { id }, body: {} }, waitForEnd: waitsForNothing };
    },
  },
};

/** Where the action takes one. */
function reasonOf({ given }: Call, action: ConsoleAction): object {
  const { body }: ConsoleUse = ACTIONS[action].console;
  return Object.values(body).includes('reason') ? { reason: given.argument('REASON') } : {};
}

function stopOf({ given }: Call, action: ConsoleAction): object {
  if (action !== 'stop') return {};
  return { for: given.argument('FOR'), reason: given.argument('REASON'), directories: [...given.all('DIRECTORY')] };
}

function waveOf({ given }: Call): object {
  return { wave: Number(given.argument('WAVE')), reason: given.argument('REASON') };
}

function waitsForNothing(): Promise<ExitCode> {
  return Promise.resolve(EXIT.done);
}

/** Says who or what locked the lane, and what goes on without the lock; returns the id of the deployment that locked it. */
async function shownLock(call: Call, client: Client, parameters: Place['parameters'] & { readonly root: string }) {
  const { lock, waiting } = (await client.get('getLane', { parameters, query: { limit: 1 } })).value;
  if (lock === undefined) throw new ExitError(EXIT.refused, `${parameters.root} is not locked`);
  const { given, notes, screen } = call;
  const shown = given.has('json') && !given.has('yes') ? notes : screen;
  shown.line(`${parameters.root} is locked by ${lock.sentence}, since ${lock.at}.`);
  shown.line(`Without the lock, ${goesOn(waiting)}.`);
  return lock.deploymentId;
}

function goesOn(waiting: number): string {
  if (waiting === 0) return 'the next deployment will not wait; none waits at present';
  return waiting === 1 ? 'the deployment that waits goes on' : `the ${waiting} deployments that wait go on`;
}
