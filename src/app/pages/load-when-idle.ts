import { whenIdle } from "../../host/when-idle.ts";

/** Loads code ahead of its use. */
export type Load = () => Promise<unknown>;

/** Loads one after the other, each in an idle moment; what is loaded leaves the list. Never rejects. */
export async function loadWhenIdle(loads: Load[]): Promise<void> {
  for (let load = loads.shift(); load !== undefined; load = loads.shift()) {
    await new Promise<void>((resolve) => whenIdle(resolve));
    // What cannot be loaded now is asked for again, and its failure shown, when it is opened.
    await load().catch(() => {});
  }
}
