/** A secret that was made a moment ago and can be shown only now. */
export interface MadeSecret {
  /** What it is, such as `Signing secret`. */
  name: string;
  secret: string;
  /** What else is good to know about it. */
  hint?: string;
}

let secrets: readonly MadeSecret[] = [];
const listeners = new Set<() => void>();

function set(next: readonly MadeSecret[]): void {
  secrets = next;
  for (const listener of listeners) listener();
}

/** Shows a secret, whatever is open by now, until the person is done with it. */
export function showMadeSecret(made: MadeSecret): void {
  set([...secrets, made]);
}

/** The person has taken down the first one. */
export function hideMadeSecret(): void {
  set(secrets.slice(1));
}

/** Nobody else may see them. */
export function forgetMadeSecrets(): void {
  set([]);
}

export function currentMadeSecrets(): readonly MadeSecret[] {
  return secrets;
}

/** Calls back on every change; returns the unsubscribe function. */
export function onMadeSecrets(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
