import type { FieldDescription } from "../engine/config/describe-fields.ts";
import type { Json, JsonObject } from "../engine/json.ts";
import type { FieldControlProps } from "../ui/fields/field.tsx";

/** What every control gets. `value` is what is stored: undefined while the default holds. */
export interface ControlProps {
  field: FieldDescription;
  value: Json | undefined;
  /** Stores a value; undefined goes back to the default. */
  onChange(value: Json | undefined): void;
  /** Id and descriptions that join the control to its label, help and error. */
  control: FieldControlProps;
}

/** What a control that needs more than its own value gets besides: the whole config. */
export interface SlotProps extends ControlProps {
  config: JsonObject;
}
