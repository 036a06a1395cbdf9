/** Runs operations one after the other, in the order of the calls. A failure does not stop the operations behind it. */
export type Serial = <T>(operation: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(operation);
    last = result.catch(() => undefined);
    return result;
  };
}
