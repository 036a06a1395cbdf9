/**
 * The rooms (folders, and files beside them) of each workspace that stands on floors, from the top down. Imports go down, or to
 * a neighbour on the same floor that does not import back.
 */
export const FLOORS = {
  'apps/console/src': [
    ['main'],
    ['console'],
    ['app'],
    ['context'],
    ['events'],
    ['lanes'],
    ['rollouts', 'pulls'],
    ['deployments', 'hosts', 'activity', 'insights', 'doctor', 'codec', 'api'],
    ['actions'],
    ['access'],
    ['login'],
    ['trail'],
    ['fleet'],
    ['platform', 'assets'],
  ],
};
