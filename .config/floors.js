/**
 * The rooms (folders, and files beside them) of each workspace that stands on floors, from the top down. Imports go down, or to
 * a neighbour on the same floor that does not import back.
 */
export const FLOORS = {
  'apps/worker/src': [
    ['main', 'worker', 'workers', 'build-bundle', 'container', 'doctor', 'operator', 'reconcile', 'watch'],
    ['lane-activities', 'force-unlock'],
    ['intake'],
    ['gates'],
    ['pull-request', 'rollout'],
    ['lane'],
    ['host'],
    ['person'],
    ['root'],
    ['platform'],
  ],
};
