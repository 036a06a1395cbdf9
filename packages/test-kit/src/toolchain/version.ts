/** Whether a dotted version of numbers is the wanted one or newer. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [found, oldest] = [numbers(version), numbers(wanted)];
  const difference = oldest.map((number, index) => (found[index] ?? 0) - number).find((delta) => delta !== 0);
  return (difference ?? 0) >= 0;
}

const numbers = (version: string): readonly number[] => version.split('.').map(Number);
