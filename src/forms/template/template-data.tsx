import { createContext, useContext } from "react";
import type { TemplateScope } from "../../engine/template/scope.ts";

/** The data that a node's templates see, for completion and previews. */
export interface TemplateData {
  /** The variables as they are now; asked for when something is completed or shown. */
  scope(): TemplateScope;
  /** Whether a run, or a pin, has given the node data. */
  hasData: boolean;
  /** Variables that templates here may name, but which have no value in the run on show. */
  unknown(): readonly string[];
  /** Whether the run on show goes on, so that they may still come. */
  isRunning: boolean;
}

const Context = createContext<TemplateData | null>(null);

export const TemplateDataProvider = Context.Provider;

/** Null where nothing is known of the data. */
export function useTemplateData(): TemplateData | null {
  return useContext(Context);
}
