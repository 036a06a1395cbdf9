/** `SCALE` makes what is measured smaller, for a try: `0.01` measures a hundredth. */
export function scaled(count: number, env: NodeJS.ProcessEnv): number {
  const scale = Number(env['SCALE'] ?? '1');
  if (!(scale > 0 && scale <= 1))
    throw new Error(
      `expected SCALE to be above 0 and at most 1, found ${env['SCALE'] ?? ''}; leave it out for the whole`,
    );
  return Math.max(1, Math.round(count * scale));
}
