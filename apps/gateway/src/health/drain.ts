/** Whether the process still wants work. Once it drains, it drains. */
export interface Drain {
  begin(): void;
  isDraining(): boolean;
}

export function createDrain(): Drain {
  let isDraining = false;
  return {
    begin: () => {
      isDraining = true;
    },
    isDraining: () => isDraining,
  };
}
