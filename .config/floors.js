/**
 * The rooms (folders, and files beside them) of each workspace that stands on floors, from the top down. Imports go down, or to
 * a neighbour on the same floor that does not import back.
 */
export const FLOORS = {};
