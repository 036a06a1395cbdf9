/** Runs what it is given one after the other, in the order it came. One that fails does not stop those behind it. */
export type Serial = <T>(operation: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(operation);
    last = result.catch(() => undefined);
    return result;
  };
}
