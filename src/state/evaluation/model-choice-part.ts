import type { ComponentType } from "react";
import type { Suite } from "../../evaluation/suite/suite.ts";

/** A model for work beside the agents'. */
export type ChosenModel = NonNullable<Suite["judge"]>;

/** The fields in which such a model is chosen, for features that may not know the one that draws them. */
export type ModelChoicePart = ComponentType<{
  help: string;
  /** Told of a model that can be asked; null while there is none. */
  onChange: (model: ChosenModel | null) => void;
}>;
