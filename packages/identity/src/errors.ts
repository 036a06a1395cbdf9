/** The service that vouches for people did not answer: ask again. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';
  readonly code = 'PROVIDER_UNAVAILABLE';

  constructor(provider: string, found: string, options?: ErrorOptions) {
    super(`expected ${provider} to say who somebody is, found ${found}; ask again`, options);
  }
}
