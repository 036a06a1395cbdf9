/** Workflows of a build that lacks the step of `second-build.ts`. */
export async function deploy(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
}
