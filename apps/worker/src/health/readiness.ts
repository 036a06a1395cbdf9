export type State = 'starting' | 'ready' | 'stopping';

/** Whether this process takes tasks. */
export interface Readiness {
  set(state: State): void;
  current(): State;
}

export function createReadiness(): Readiness {
  let current: State = 'starting';
  return {
    set: (state) => {
      current = state;
    },
    current: () => current,
  };
}
