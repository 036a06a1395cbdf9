/** Only rejects, with the signal's reason. For work that does not notice a signal, such as a request of the client of Temporal. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => {
      reject(signal.reason as Error); // Of `abort()`, which takes anything.
    };
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
