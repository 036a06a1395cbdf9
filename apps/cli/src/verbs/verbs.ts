/** All verbs, in the order of help. */
import { ACT_VERBS } from './act/act-verbs.ts';
import { activity } from './look/activity.ts';
import { attention } from './look/attention.ts';
import { deployment } from './look/deployment.ts';
import { deployments } from './look/deployments.ts';
import { doctor } from './look/doctor.ts';
import { hosts } from './look/hosts.ts';
import { lane } from './look/lane.ts';
import { lanes } from './look/lanes.ts';
import { logs } from './look/logs.ts';
import { pull } from './look/pull.ts';
import { rollout } from './look/rollout.ts';
import { stops } from './look/stops.ts';
import { why } from './look/why.ts';
import { completion } from './set-up/completion.ts';
import { config, identity, keys, token } from './set-up/configuration.ts';
import { demo } from './set-up/demo.ts';
import { login } from './set-up/login.ts';
import { logout } from './set-up/logout.ts';
import { notify } from './set-up/notify.ts';
import { setup } from './set-up/setup.ts';
import { temporal } from './set-up/temporal.ts';
import { windows } from './set-up/windows.ts';
import type { Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [
  ...[attention, lanes, lane, why, deployments, deployment, logs, rollout, pull, activity, stops, hosts, doctor],
  ...ACT_VERBS,
  ...[demo, setup, login, logout, completion, token, config, windows, keys, identity, temporal, notify],
];
