import { causesOf, distrustOf } from '@nereid/domain/distrust';

/** The file with the secrets of a receiver cannot be used. Says where and why, and holds nothing of the file. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
  readonly code = 'SECRET_FILE';
}

/** The most precise reason of a failed request, without anything that the receiver said. */
export function reasonOf(error: unknown): string {
  return error instanceof SecretFileError ? error.message : (distrustOf(error) ?? deepestOf(error));
}

function deepestOf(error: unknown): string {
  let reason = 'unknown reason';
  for (const each of causesOf(error)) {
    if ('code' in each && typeof each.code === 'string') reason = each.code;
    else if ('name' in each && typeof each.name === 'string' && reason === 'unknown reason') reason = each.name;
  }
  return reason;
}
