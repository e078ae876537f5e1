import { loadOnce } from "../engine/load-once.ts";

/** Functions that answer later, and nothing else. */
export type Answering<Service> = { [Name in keyof Service]: (...args: never[]) => Promise<unknown> };

/**
 * A service whose code is loaded with the first call of one of its functions, but those of `atOnce`. A load that failed rejects that call, and the
 * next one tries again. What it can do is known only then, so it cannot be spread or asked for its keys.
 */
export function lazily<Service extends Answering<Service>>(
  load: () => Promise<Service>,
  atOnce: Partial<Service> = {},
): Service {
  const loaded = loadOnce(load);
  const calls = new Map<string, unknown>(Object.entries(atOnce));
  const callOf = (name: string) => {
    const call = async (...args: unknown[]): Promise<unknown> => {
      const service = await loaded();
      const method: unknown = Reflect.get(service, name);
      if (typeof method !== "function") throw new TypeError(`The service has no function ${name}.`);
      return Reflect.apply(method, service, args);
    };
    calls.set(name, call);
    return call;
  };
  const refuse = () => {
    throw new TypeError("A service that is loaded later cannot be spread: name what is used of it.");
  };
  return new Proxy<Service>(Object.create(null), {
    // No promise: whoever awaits it gets the service.
    get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : (calls.get(name) ?? callOf(name))),
    ownKeys: refuse,
  });
}
