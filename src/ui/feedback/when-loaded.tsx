import { type ComponentType, useSyncExternalStore } from "react";

interface Load<Props> {
  Loaded?: ComponentType<Props>;
  failure?: { error: unknown };
}

/**
 * A component whose code is loaded when it is first shown, with `Meanwhile`, or nothing, in its place until then. Unlike `lazy` it does not
 * suspend: where React has shown that something is missing, it holds back what comes for 300 ms, and only then would a page
 * that has long been loaded begin to ask for its data. An error boundary tells when it cannot be loaded.
 */
export function whenLoaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType = () => null,
): ComponentType<Props> {
  const listeners = new Set<() => void>();
  let state: Load<Props> = {};
  let begun = false;

  const settle = (next: Load<Props>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const begin = () => {
    if (begun) return;
    begun = true;
    load().then(
      (Loaded) => settle({ Loaded }),
      (error: unknown) => settle({ failure: { error } }),
    );
  };
  const current = () => state;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  return function WhenLoaded(props: Props) {
    begin();
    const { Loaded, failure } = useSyncExternalStore(subscribe, current, current);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : <Meanwhile />;
  };
}
