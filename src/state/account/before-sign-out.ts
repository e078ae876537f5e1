const tasks = new Set<() => Promise<void>>();

/** Has something done while the person is still signed in. Returns the function that takes it back. */
export function beforeSignOut(task: () => Promise<void>): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** Does what waits for it. Never rejects: each task says itself what went wrong. */
export async function doBeforeSignOut(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}
