/** Workflows of a release whose code decides otherwise from its first command on: they begin with a timer. */

export const deploy = anHour;
export const terraform = anHour;

async function anHour(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}
