/** Reads server-sent events until the signal aborts. `onEvent` gets the name of each, and its data from JSON. */
export async function openStream(
  url: string,
  signal: AbortSignal,
  onEvent: (name: string, data: unknown) => void,
): Promise<void> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal });
  if (!response.ok || response.body === null) throw new Error(`expected a stream, found status ${response.status}`);
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const [name, data] = [field('event'), field('data')];
      if (name !== undefined && data !== undefined) onEvent(name, JSON.parse(data));
    }
  }
}
