/** Shorter texts are words rather than secrets; replacing them would garble every message. */
const SHORTEST_SECRET = 4;

/** Removes the given secrets, and credentials in URLs, from a text that people may see. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
    .replaceAll(/(\w{2,10}:\/\/)[^\s/@]{1,1000}@/g, '$1***@');
}
